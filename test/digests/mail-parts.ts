// Reads a mail as a receiver would: headers unfolded, text and HTML decoded, the names of what is attached.

export interface Parsed {
  headers: Record<string, string>;
  text: string;
  html: string;
  attachments: string[];
}

const unquoted = (text: string): string => {
  const bytes = text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};

function headersOf(head: string): Record<string, string> {
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
}

function leaves(part: string): { headers: Record<string, string>; body: string }[] {
  const at = part.indexOf('\r\n\r\n');
  const headers = headersOf(part.slice(0, at));
  const body = part.slice(at + 4);
  const boundary = /boundary="?([^";]+)"?/.exec(headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return [{ headers, body }];
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .flatMap((inner) => leaves(inner.replace(/^\r\n/, '')));
}

export function simpleParser(message: string): Parsed {
  const parts = leaves(message);
  const decoded = (type: string): string => {
    const part = parts.find(({ headers }) => headers['content-type']?.startsWith(type));
    const encoding = part?.headers['content-transfer-encoding'];
    const body = part?.body ?? '';
    return encoding === 'base64'
      ? Buffer.from(body, 'base64').toString()
      : encoding === 'quoted-printable'
        ? unquoted(body)
        : body;
  };
  return {
    headers: headersOf(message.slice(0, message.indexOf('\r\n\r\n'))),
    text: decoded('text/plain'),
    html: decoded('text/html'),
    attachments: parts.flatMap(
      ({ headers }) => /filename=?"?([^";]+)"?/.exec(headers['content-disposition'] ?? '')?.[1] ?? [],
    ),
  };
}
