// Where requests that somebody else can cause may connect: public addresses, and hosts named in the settings. Errors reveal nothing about other hosts.
import { lookup as systemLookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A host that may be reached wherever it is located. */
export interface AllowedHost {
  /** As an address of the web writes it, without a dot at the end. */
  name: string;
  /** null: every port. */
  port: number | null;
}

export type Lookup = (
  hostname: string,
  options: { all: true },
  done: (error: Error | null, found: LookupAddress[]) => void,
) => void;

/** The network that such requests may reach. */
export interface Reach {
  hosts: readonly AllowedHost[];
  /** The setting that names the hosts, for refusals. */
  setting: string;
  /** By default that of the system. */
  lookup?: Lookup;
}

export class OutOfReach extends Error {
  override readonly name = 'OutOfReach';
  constructor(host: string, setting: string) {
    super(`${host} is no public address: allow the host in ${setting}`);
  }
}

/** `host` or `host:port`, also `[::1]:8080`; undefined for other texts. */
export function allowedHost(text: string): AllowedHost | undefined {
  const [, host = '', port] = /^(\[[0-9a-f:.]+\]|[^\s:/?#@[\]\\*%]+)(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  const isPort = port === undefined || (Number(port) > 0 && Number(port) < 65_536);
  if (!isPort || !URL.canParse(`http://${host}`)) return undefined;
  return { name: nameOf(new URL(`http://${host}`)), port: port === undefined ? null : Number(port) };
}

/** TRICKY: the URL has written every spelling of an IPv4 address (decimal, octal, hexadecimal) as four numbers. */
const nameOf = ({ hostname }: URL): string => hostname.replace(/\.$/, '').replace(/^\[(.*)\]$/, '$1');

const portOf = ({ port, protocol }: URL): number => Number(port || (protocol === 'https:' ? 443 : 80));

const isAllowed = (url: URL, { hosts }: Reach): boolean =>
  hosts.some(({ name, port }) => name === nameOf(url) && (port === null || port === portOf(url)));

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one of the public internet. */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast';
  const v6 = parsed as ipaddr.IPv6;
  // In IPv6-only networks, a gateway maps public IPv4 addresses to this prefix; the last four bytes decide.
  const bytes = v6.toByteArray();
  if (v6.toNormalizedString().startsWith('64:ff9b:0:0:0:0:')) return isPublic(bytes.slice(12).join('.'));
  return v6.range() === 'unicast' && v6.match(globalUnicast);
}

/** The objection to an address as written; names are resolved only when something is sent. */
export function refusalOf(address: string, reach: Reach): string | undefined {
  const url = new URL(address);
  const name = nameOf(url);
  const isHere = isIP(name) > 0 ? !isPublic(name) : /(^|\.)localhost$/.test(name);
  return isHere && !isAllowed(url, reach) ? new OutOfReach(url.host, reach.setting).message : undefined;
}

/** Resolves to public addresses only; the connection uses one of them, so that a second lookup cannot return another. */
export function lookupFor(url: URL, reach: Reach): LookupFunction {
  const { lookup = systemLookup as Lookup } = reach;
  const isFree = isAllowed(url, reach);
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, []);
      const open = isFree ? found : found.filter(({ address }) => isPublic(address));
      const [first] = open;
      if (!first) return done(new OutOfReach(url.host, reach.setting), []);
      if (options.all) done(null, open);
      else done(null, first.address, first.family);
    });
}
