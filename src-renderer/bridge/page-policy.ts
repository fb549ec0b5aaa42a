// Fits the page to its own content policy; imported before anything else, as both must hold when other modules are run.
// Addresses of scripts pass when they are of the page's own origin (a worker); no HTML and no script is ever made trusted, so
// every such sink stays closed. zod is kept from trying whether it may compile code.
import { config } from 'zod';

interface PolicyFactory {
  createPolicy(name: 'default', rules: { createScriptURL: (address: string) => string | null }): unknown;
}

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory };
trustedTypes?.createPolicy('default', {
  createScriptURL: (address) => (new URL(address, location.href).origin === location.origin ? address : null),
});
config({ jitless: true });
