// Where a ClickHouse database is, as it is written in one line: clickhouse://user:password@host:8123/database, or with several hosts.

/** A database on one host. */
export interface ClickhouseAddress {
  url: string;
  username: string;
  password: string;
  database: string;
}

/** The hosts of an address. Each of them has everything. */
export type ClickhouseAddresses = readonly [ClickhouseAddress, ...ClickhouseAddress[]];

const example = 'clickhouse://user:password@host:8123/database';
const example_of_several = 'clickhouse://user:password@host1:8123,host2:8123/database';

/** The same address with one host each, as it is written. */
function writtenHosts(text: string): [string, ...string[]] {
  const [, before = '', hosts = '', behind = ''] = /^([a-z]+:\/\/(?:[^/]*@)?)([^/?#]*)(.*)$/is.exec(text) ?? [];
  const [first = '', ...others] = hosts.split(',').map((host) => `${before}${host.trim()}${behind}`);
  return others.length === 0 ? [text] : [first, ...others];
}

/** What is wrong with an address, or undefined. */
export function wrongAddress(text: string): string | undefined {
  if (/@[^/]*,[^/]*@/.test(text))
    return `has more than one @: write one user before all hosts, and %40 in a password: ${example_of_several}`;
  const written = writtenHosts(text);
  const wrong = written.map(wrongHost).find((each) => each !== undefined);
  if (wrong !== undefined) return wrong;
  const urls = written.map((each) => hostIn(each).url);
  const twice = urls.find((url, at) => urls.indexOf(url) < at);
  return twice === undefined ? undefined : `names the host ${new URL(twice).host} twice`;
}

function wrongHost(text: string): string | undefined {
  const found = URL.canParse(text) ? new URL(text) : undefined;
  if (!found || !/^clickhouses?:$/.test(found.protocol) || found.hostname === '')
    return `is no address of a database: write ${example} (over TLS clickhouses://…, or with ?secure=true), or leave it unset`;
  if (!/^\/[\w-]+$/.test(found.pathname))
    return `must name a database of letters, digits, _ and - behind the host: ${example}`;
  const strange = [...found.searchParams].find(([name, value]) => name !== 'secure' || !/^(true|false)$/.test(value));
  if (strange) return `has the parameter ${strange.join('=')}: only secure=true and secure=false are known`;
  if (found.protocol === 'clickhouses:' && found.searchParams.get('secure') === 'false')
    return 'is over TLS (clickhouses://) and not (secure=false): keep one of them';
  if (found.hash !== '') return 'has a # in it: write %23 in a password';
  try {
    decodeURIComponent(found.username + found.password);
  } catch {
    return 'has a % that begins no escape: write %25 in a password';
  }
  return undefined;
}

/** `password`: instead of one in the address. Errors: an address that is wrong. */
export function addressesIn(text: string, password?: string | null): ClickhouseAddresses {
  const wrong = wrongAddress(text);
  if (wrong !== undefined) throw new Error(`the address of the database ${wrong}`);
  const [first, ...others] = writtenHosts(text);
  return [hostIn(first, password), ...others.map((each) => hostIn(each, password))];
}

function hostIn(text: string, password?: string | null): ClickhouseAddress {
  const { protocol, hostname, port, username, password: written, pathname, searchParams } = new URL(text);
  const isSafe = protocol === 'clickhouses:' || searchParams.get('secure') === 'true';
  return {
    url: `${isSafe ? 'https' : 'http'}://${hostname}:${port || (isSafe ? '8443' : '8123')}`,
    username: decodeURIComponent(username) || 'default',
    password: password ?? decodeURIComponent(written),
    database: pathname.slice(1),
  };
}

/** The password in an address, as it is and as the address writes it; none in one without, or that is wrong. */
export function passwordsIn(text: string): string[] {
  if (wrongAddress(text) !== undefined) return [];
  const { password } = new URL(writtenHosts(text)[0]);
  return password === '' ? [] : [decodeURIComponent(password), password];
}

/** As messages name it: without user and password. */
export const nameOf = (addresses: ClickhouseAddresses): string =>
  `clickhouse://${addresses.map(({ url }) => new URL(url).host).join(',')}/${addresses[0].database}`;
