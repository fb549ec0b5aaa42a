// What no window may do, set once for all windows: leave its page, open another window, embed, download, get a permission,
// or reach the network. Links are opened outside by open-external.ts alone.
import { app, session, type WebContents } from 'electron';
import { isPageAddress } from './page-address.ts';

/** Before the application is ready: sandbox for every page, no name is ever resolved by the browser. */
export function hardenBeforeReady(): void {
  app.enableSandbox();
  const exceptions = app.isPackaged ? '' : ', EXCLUDE localhost';
  app.commandLine.appendSwitch('host-resolver-rules', `MAP * ~NOTFOUND${exceptions}`);
  app.on('web-contents-created', (_event, contents) => {
    hardenContents(contents);
  });
}

/** After the application is ready: every permission, device, capture and download is refused. */
export function hardenSession(): void {
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  defaultSession.setPermissionCheckHandler(() => false);
  defaultSession.setDevicePermissionHandler(() => false);
  defaultSession.setDisplayMediaRequestHandler((_request, answer) => {
    answer({});
  });
  defaultSession.setSpellCheckerEnabled(false);
  defaultSession.on('will-download', (event) => {
    event.preventDefault();
  });
}

function hardenContents(contents: WebContents): void {
  contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
  // Main frame: the page itself (a reload) and nothing else. Other frames: nothing, as the page has none.
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame || !isPageAddress(event.url, app.isPackaged)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    event.preventDefault();
  });
}
