// The page's policy takes script addresses from a trusted policy alone: this one lets those of the page's own origin pass (a
// worker), and nothing else. It makes no HTML and no script, so every such sink stays closed.

interface PolicyFactory {
  createPolicy(name: 'default', rules: { createScriptURL: (address: string) => string | null }): unknown;
}

/** Call once, before anything starts a worker. Does nothing where the browser has no such policies. */
export function trustOwnScripts(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
  trustedTypes?.createPolicy('default', {
    createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
  });
}
