// Proxies in front of dashboards and API: which are trusted to name the client, and under which host name.
import ipaddr from 'ipaddr.js';
import type { TrustedProxies } from '#api/deps.ts';

type Range = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** An address or range; undefined if it is neither. */
export function rangeIn(text: string): Range | undefined {
  const [base = '', bits] = text.split('/');
  // TRICKY: 10/8 is 0.0.0.10/8 to those who read addresses as C does.
  if (!base.includes(':') && !ipaddr.IPv4.isValidFourPartDecimal(base)) return undefined;
  if (bits !== undefined) return ipaddr.isValidCIDR(text) ? ipaddr.parseCIDR(text) : undefined;
  if (!ipaddr.isValid(base)) return undefined;
  const address = ipaddr.process(base);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

export function proxiesAt(url: string, addresses: readonly string[]): TrustedProxies {
  const ranges = addresses.flatMap((text) => {
    const range = rangeIn(text);
    return range ? [range] : [];
  });
  const isTrusted = (text: string | undefined): boolean => {
    if (text === undefined || !ipaddr.isValid(text)) return false;
    const address = ipaddr.process(text);
    return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
  };
  return {
    ...{ url: new URL(url), isTrusted },
    clientOf({ headers, socket }) {
      const peer = socket.remoteAddress ?? 'unknown';
      if (!isTrusted(peer)) return peer;
      const said = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').map(withoutPort);
      // Entries before an unreadable or untrusted one may be forged.
      let client = peer;
      for (const part of said.reverse()) {
        if (!ipaddr.isValid(part)) break;
        client = part;
        if (!isTrusted(part)) break;
      }
      return client;
    },
  };
}

/** Some proxies add the port. */
const withoutPort = (part: string): string =>
  part.trim().replace(/^(\d+\.\d+\.\d+\.\d+):\d+$|^\[([^\]]+)\](?::\d+)?$/, '$1$2');
