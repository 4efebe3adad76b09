// Addresses in mails: of a file that is too large to attach, and of the page that ends a digest. Both are signed.
import { z } from 'zod';
import type { DigestDeps } from './deps.ts';
import { opened, signed } from './store.ts';

const subject = z.discriminatedUnion('for', [
  z.object({
    for: z.literal('file'),
    digest: z.string(),
    period: z.string(),
    reader: z.string(),
    name: z.string(),
    until: z.int(),
  }),
  z.object({ for: z.literal('unsubscribe'), digest: z.string(), address: z.string() }),
]);
type LinkSubject = z.infer<typeof subject>;

/** Lifetime of a link to a file. */
export const good_for_seconds = 90 * 86_400;

const address = ({ public_url, store }: DigestDeps, path: string, about: LinkSubject): string | null =>
  public_url === null
    ? null
    : `${public_url.replace(/\/+$/, '')}/api/digest-${path}/${signed(store.key, JSON.stringify(about))}`;

/** Good for 90 days; null without a public address. `now` in Unix seconds. */
export const fileLink = (
  deps: DigestDeps,
  about: { digest: string; period: string; reader: string; name: string },
  now: number,
): string | null => address(deps, 'files', { for: 'file', ...about, until: now + good_for_seconds });

export const unsubscribeLink = (deps: DigestDeps, digest: string, mail: string): string | null =>
  address(deps, 'unsubscribe', { for: 'unsubscribe', digest, address: mail });

/** The subject of a link, if it was issued here and has not expired. `now` in Unix seconds. */
export function linkedTo(deps: DigestDeps, token: string, now: number): LinkSubject | undefined {
  const text = opened(deps.store.key, token);
  if (text === undefined) return undefined;
  const about = subject.parse(JSON.parse(text));
  return about.for === 'file' && about.until < now ? undefined : about;
}
