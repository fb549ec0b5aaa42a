// The window's entry: joins the bridge to the state and draws. Nothing else happens before the first frame.
import './bridge/page-policy.ts';
import { createRoot } from 'react-dom/client';
import './ui/tokens.css';
import './ui/base.css';
import { App } from './app.tsx';
import { createClient } from './bridge/client.ts';
import { windowBridge } from './bridge/window-warrant.ts';
import { createWindowState } from './state/window-state.ts';
import { shareStyleNonce } from './ui/share-style-nonce.ts';

const root = document.getElementById('root');
const bridge = windowBridge();
if (root && bridge) {
  shareStyleNonce();
  const state = createWindowState(createClient(bridge));
  state.listen();
  void state.acts.start();
  createRoot(root).render(<App state={state} />);
} else if (root) {
  root.textContent = 'This page is a part of Warrant and works in its window only. Start it with: warrant';
}
