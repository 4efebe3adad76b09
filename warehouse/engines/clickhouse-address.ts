// Where a ClickHouse database is, as it is written in one line: clickhouse://user:password@host:8123/database.

export interface ClickhouseAddress {
  url: string;
  username: string;
  password: string;
  database: string;
}

const example = 'clickhouse://user:password@host:8123/database';

/** What is wrong with an address, or undefined. */
export function wrongAddress(text: string): string | undefined {
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
export function addressIn(text: string, password?: string | null): ClickhouseAddress {
  const wrong = wrongAddress(text);
  if (wrong !== undefined) throw new Error(`the address of the database ${wrong}`);
  const { protocol, hostname, port, username, password: written, pathname, searchParams } = new URL(text);
  const isSafe = protocol === 'clickhouses:' || searchParams.get('secure') === 'true';
  return {
    url: `${isSafe ? 'https' : 'http'}://${hostname}:${port || (isSafe ? '8443' : '8123')}`,
    username: decodeURIComponent(username) || 'default',
    password: password ?? decodeURIComponent(written),
    database: pathname.slice(1),
  };
}
