// Addresses of the network, each in one spelling; of IPv6 the network of a household stands for all its addresses.
import ipaddr from 'ipaddr.js';

/** What is no address stays as it is. */
export function placeOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const known = ipaddr.process(address);
  if (known.kind() === 'ipv4') return known.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${known.toString()}/64`).toString()}/64`;
}
