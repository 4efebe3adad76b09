// Normalizes IP addresses; an IPv6 address is reduced to the network of its household.
import ipaddr from 'ipaddr.js';

/** Anything that is not an address is returned unchanged. */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  if (known.kind() === 'ipv4') return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${known.toString()}/64`).toString()}/64`;
}
