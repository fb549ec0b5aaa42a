// Which network addresses a web request may reach. Judged on the address that a name resolved to, right before each
// connection: a name says nothing about where it leads.
import { BlockList, isIP, isIPv6 } from 'node:net';

const LOOPBACK_NAMES = new Set(['localhost', '127.0.0.1', '[::1]']);

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const internal = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  internal.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
] as const) {
  internal.addSubnet(network, bits, 'ipv6');
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/**
 * Why an address may not be reached; null when it may. `host` is the URL's own: loopback is reached only where the URL
 * that was approved names it.
 */
export function addressObjection(address: string, host: string): string | null {
  if (loopback.check(address, family(address))) {
    if (LOOPBACK_NAMES.has(host)) return null;
    return `${host} leads to this machine (${address}). Name it as localhost if that is meant.`;
  }
  if (internal.check(address, family(address))) {
    return `${host} leads to a private or link-local address (${address}), which web_fetch does not reach.`;
  }
  return null;
}

/** The objection to a URL's host when it is an address itself; null when it is a name, or may be reached. */
export function hostObjection(host: string): string | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return isIP(bare) === 0 ? null : addressObjection(bare, host);
}
