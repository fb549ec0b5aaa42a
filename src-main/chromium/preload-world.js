// The isolated world: contextBridge, ipcRenderer and webUtils as a sandboxed preload of Electron sees them, and a CommonJS
// shell in which the unchanged preload bundle runs. The page cannot reach this world; the host reaches it by three names
// that exist here alone: __host (a binding), __deliver and __file.
(function installPreload(secret) {
  if (window !== window.top) return;
  const toHostText = globalThis.__host;
  delete globalThis.__host;
  const toHost = (message) => toHostText(JSON.stringify(message));

  // ---- contextBridge
  const functions = new Map();
  let lastId = 0;
  const post = (detail) => document.dispatchEvent(new CustomEvent(`${secret}m`, { detail }));
  const released = new FinalizationRegistry((id) => post({ t: 'drop', id }));
  const messageOf = (error) => String(error?.message ?? error) || 'Error';
  const isPlain = (value) => {
    const prototype = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null;
  };
  const needsCoding = (value) => {
    if (typeof value === 'function' || value instanceof Promise) return true;
    if (typeof value !== 'object' || value === null) return false;
    return Array.isArray(value) ? value.some(needsCoding) : isPlain(value) && Object.values(value).some(needsCoding);
  };
  const encode = (value) => {
    if (!needsCoding(value)) return ['v', value];
    if (typeof value === 'function') {
      const id = ++lastId;
      functions.set(id, value);
      return ['f', id];
    }
    if (value instanceof Promise) {
      const id = ++lastId;
      value.then(
        (result) => post({ t: 'settle', id, value: encode(result) }),
        (error) => post({ t: 'settle', id, error: messageOf(error) }),
      );
      return ['p', id];
    }
    return Array.isArray(value)
      ? ['a', value.map(encode)]
      : ['o', Object.entries(value).map(([key, item]) => [key, encode(item)])];
  };
  const decode = ([tag, value]) => {
    if (tag === 'v') return value;
    if (tag === 'a') return value.map(decode);
    if (tag === 'o') return Object.fromEntries(value.map(([key, item]) => [key, decode(item)]));
    const proxy = (...args) => {
      post({ t: 'cb', id: value, args: args.map(encode) });
    };
    released.register(proxy, value);
    return proxy;
  };
  document.addEventListener(`${secret}p`, (event) => {
    const message = event.detail;
    if (message?.t === 'release') functions.delete(message.id);
    if (message?.t !== 'call') return;
    try {
      post({ t: 'ret', value: encode(functions.get(message.id)(...message.args.map(decode))) });
    } catch (error) {
      post({ t: 'ret', error: messageOf(error) });
    }
  });
  const contextBridge = {
    exposeInMainWorld(key, api) {
      post({ t: 'expose', key, value: encode(api) });
    },
  };

  // ---- ipcRenderer and webUtils
  const listeners = new Map();
  const pending = new Map();
  const files = new Map();
  const ask = (message, label) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      pending.set(id, { resolve, reject, label });
      toHost({ ...message, id });
    });
  const ipcRenderer = {
    invoke: (channel, ...args) => ask({ t: 'invoke', channel, args }, `Error invoking remote method '${channel}'`),
    send(channel, ...args) {
      toHost({ t: 'send', channel, args });
    },
    on(channel, listener) {
      listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      return this;
    },
    once(channel, listener) {
      const wrapped = (...args) => {
        this.off(channel, wrapped);
        listener(...args);
      };
      return this.on(channel, wrapped);
    },
    off(channel, listener) {
      listeners.set(
        channel,
        (listeners.get(channel) ?? []).filter((known) => known !== listener),
      );
      return this;
    },
    removeListener(channel, listener) {
      return this.off(channel, listener);
    },
    removeAllListeners(channel) {
      listeners.delete(channel);
      return this;
    },
  };
  // Electron answers at once; here the browser is asked, so the path comes as a promise: await either.
  const webUtils = {
    getPathForFile(file) {
      if (!(file instanceof File)) return '';
      const key = ++lastId;
      files.set(key, file);
      return ask({ t: 'file', key }, 'The path of a file').finally(() => files.delete(key));
    },
  };
  globalThis.__file = (key) => files.get(key);
  // A JSON batch of replies and pushes.
  globalThis.__deliver = (json) => {
    for (const message of JSON.parse(json)) {
      if (message.t === 'push') {
        for (const listener of [...(listeners.get(message.channel) ?? [])]) {
          try {
            listener({ sender: ipcRenderer }, ...message.args);
          } catch (error) {
            reportError(error);
          }
        }
      } else {
        const waiting = pending.get(message.id);
        pending.delete(message.id);
        if (message.error === undefined) waiting?.resolve(message.value);
        else waiting?.reject(new Error(`${waiting.label}: ${message.error}`));
      }
    }
  };

  // ---- what the host needs to know of the window
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const tellState = () =>
    toHost({
      t: 'state',
      dark: dark.matches,
      focused: document.hasFocus(),
      hidden: document.visibilityState === 'hidden',
    });
  for (const type of ['focus', 'blur', 'resize', 'pagehide']) addEventListener(type, tellState);
  document.addEventListener('visibilitychange', tellState);
  document.addEventListener('mouseleave', tellState);
  dark.addEventListener('change', tellState);
  tellState();
  // Nothing outside the page's own drop targets takes a file: the browser would open it in place of the application.
  for (const type of ['dragover', 'drop']) {
    addEventListener(type, (event) => {
      if (event.defaultPrevented) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
    });
  }

  const electron = { contextBridge, ipcRenderer, webUtils };
  const require = (id) => {
    if (id === 'electron' || id === 'electron/renderer') return electron;
    throw new Error(`module not found: ${id}`);
  };
  const process = {
    platform: __PLATFORM__,
    versions: { chrome: /Chrome\/(\S+)/.exec(navigator.userAgent)?.[1] },
    contextIsolated: true,
    sandboxed: true,
    env: {},
  };
  const module = { exports: {} };
  (function (exports, require, module, process) {
    __PRELOAD__;
  })(module.exports, require, module, process);
})(__SECRET__);
