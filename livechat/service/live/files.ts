// Files that callers upload: an address that ends after a day unless an event uses it.
import { randomBytes } from 'node:crypto';
import { disableTypes, imageSize, types } from 'image-size';
import type { ServiceAccount } from '../account.ts';
import { refuse } from '../refusals.ts';
import { isOwnHost } from '../wire.ts';
import type { Turn } from './turn.ts';

export const largestFile = 10 * 1024 * 1024;
const lifetime = 86_400;
const path = '/files/';

/** Keeps a file and says under which address it is had. `origin` is the service's own. */
export async function keepFile(account: ServiceAccount, file: File, origin: string): Promise<{ url: string }> {
  if (file.size > largestFile) throw refuse.v3('entity_too_large');
  const id = randomBytes(16).toString('hex');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const now = account.now();
  account.store.transact(() => {
    account.store.live.dropFiles(now);
    account.store.live.putFile({
      ...{ id, name: nameOf(file), content_type: file.type || 'application/octet-stream', bytes },
      expires: now + lifetime,
    });
  });
  return { url: `${origin}${path}${id}/${encodeURIComponent(nameOf(file))}` };
}

/** Without folders and control characters. */
const nameOf = ({ name }: File): string =>
  name
    .split(/[\\/]/)
    .at(-1)!
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 255)
    // The cut may go through a pair of surrogates, which no address can hold the half of.
    .toWellFormed() || 'file';

/** Types that a browser may show, beside plain text; others are downloaded, so that nothing uploaded runs here. */
const shownImage = /^image\/(png|jpeg|gif|webp)$/;
const measured = ['png', 'jpg', 'gif', 'webp'];
disableTypes(types.filter((type) => !measured.includes(type)));

interface SizedImage {
  /** Pixels. */
  width: number;
  height: number;
  /** The image itself: nothing here makes smaller ones. */
  thumbnail_url: string;
  thumbnail2x_url: string;
}

interface EventFile extends Partial<SizedImage> {
  name: string;
  content_type: string;
  /** Bytes. */
  size: number;
}

/** What an event says of an uploaded file, which is kept from then on. Throws validation for any other address. */
export function fileOf({ account, now, origin }: Turn, { url }: { url: string }): EventFile {
  const { host, pathname } = new URL(url);
  const id = new RegExp(`^${path}([0-9a-f]{32})/`).exec(pathname)?.[1];
  const is_own = isOwnHost(host, new URL(origin ?? 'http://localhost').hostname);
  if (id === undefined || !is_own) throw refuse.v3('validation', 'event.url: must be one that upload_file gave');
  const file = liveFile(account, id, now);
  if (!file) throw refuse.v3('validation', 'event.url: the file has expired or was never uploaded');
  account.store.live.putFile({ ...file, expires: null });
  const { name, content_type, bytes } = file;
  return { name, content_type, size: bytes.byteLength, ...(shownImage.test(content_type) && sizedImage(bytes, url)) };
}

/** Nothing of a file that is no image, whatever it is called. */
function sizedImage(bytes: Uint8Array, url: string): SizedImage | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return { width, height, thumbnail_url: url, thumbnail2x_url: url };
  } catch {
    return undefined;
  }
}

function liveFile({ store }: ServiceAccount, id: string, now: number) {
  const file = store.live.file(id);
  return file && (file.expires === null || file.expires > now) ? file : undefined;
}

/** The file as an answer, or undefined. */
export function servedFile(account: ServiceAccount, id: string): Response | undefined {
  const file = liveFile(account, id, account.now());
  if (!file) return undefined;
  const is_shown = shownImage.test(file.content_type) || file.content_type === 'text/plain';
  return new Response(new Uint8Array(file.bytes), {
    headers: {
      'content-type': is_shown ? file.content_type : 'application/octet-stream',
      'content-disposition': `${is_shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=3600',
    },
  });
}
