// Webhook addresses are secrets, because whoever knows one can post to it: they are displayed in a shortened form.
import { createHash } from 'node:crypto';
import { urlOf, type Channel } from './channels.ts';

const cut = '/…';

/** For example `https://hooks.example.com/…4f2a91c0`: the host, and a hash that tells its addresses apart. `url`: a web address. */
export const shortened = (url: string): string =>
  new URL(url).origin + cut + createHash('sha256').update(url).digest('hex').slice(0, 8);

export const isShortened = (url: string): boolean => url.includes(cut);

export const shortenedChannel = (one: Channel): Channel => ('url' in one ? { ...one, url: shortened(one.url) } : one);

/** The key of a channel (`keyOfChannel`) with its address shortened. */
export function shortenedKey(key: string): string {
  const [, kind = '', url = ''] = /^(\S+) (\S+)$/.exec(key) ?? [];
  return URL.canParse(url) && !isShortened(url) ? `${kind} ${shortened(url)}` : key;
}

/** Submitted channels, with shortened addresses replaced by the matching ones of `before`. */
export function restored(channels: unknown, before: readonly Channel[]): unknown {
  if (!Array.isArray(channels)) return channels;
  return channels.map((one: unknown) => {
    if (typeof one !== 'object' || one === null || !('url' in one) || !('kind' in one)) return one;
    const known = before.find((it) => it.kind === one.kind && 'url' in it && shortened(it.url) === one.url);
    return known ? { ...one, url: urlOf(known) } : one;
  });
}
