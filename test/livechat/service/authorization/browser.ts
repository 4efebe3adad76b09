// A client and a browser of the OAuth flow, as far as a test needs them.
import { createHash, randomBytes } from 'node:crypto';

export const redirect_uri = 'https://app.example/callback';

export function challengePair(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** What the client puts into the link, with changes; undefined leaves a parameter out. */
export function authorizePath(
  client_id: string,
  challenge: string,
  own: Record<string, string | undefined> = {},
): string {
  const asked = {
    ...{ response_type: 'code', client_id, redirect_uri, state: 'state of the client' },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
    ...own,
  };
  const given = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
}

/** Opens the page and fills its form in; `own` changes fields of the form and headers of its sending. */
export async function signIn(
  base: string,
  path: string,
  fields: Record<string, string>,
  own: { form?: string; headers?: Record<string, string>; without_cookie?: boolean } = {},
): Promise<Response> {
  const page = await fetch(base + path);
  const html = await page.text();
  const form = /name="form" value="([^"]+)"/.exec(html)?.[1] ?? '';
  const action = (/action="([^"]+)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const cookie = (page.headers.get('set-cookie') ?? '').split(';')[0]!;
  return fetch(base + action, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: base, ...(own.without_cookie ? {} : { cookie }), ...own.headers },
    body: new URLSearchParams({ form: own.form ?? form, decision: 'allow', ...fields }),
  });
}

/** The parameters with which the browser comes back to the client. */
export const broughtBack = (response: Response): Record<string, string> =>
  Object.fromEntries(new URL(response.headers.get('location') ?? 'none:').searchParams);
