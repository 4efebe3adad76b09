// Documents of a digest: a preview of the next one, and past ones, rendered again.
import type { Hono } from 'hono';
import type { File } from '#digests/channels/letter.ts';
import type { DigestDeps } from '#digests/deps.ts';
import { formats, type Digest, type Format } from '#digests/digest.ts';
import type { Send } from '#digests/send.ts';
import { again, madeFrom } from '#digests/send-inputs.ts';
import { previewed } from '#digests/preview.ts';
import type { Rendered } from '#digests/rendered.ts';
import { DamagedWarehouse } from '#warehouse/errors.ts';
import { channelIn, digestsOf, storedDigest, periodIn, seen } from './requested-digest.ts';
import { snapshotOf } from './context.ts';
import { downloadDigest, previewDigest } from './contract/digests.ts';
import { routed } from './contract/endpoint.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { fileAnswer } from './file-answer.ts';
import { queryOf } from './validation.ts';

function readerIn(digest: Digest, name: string | undefined) {
  const found = digest.readers.find((reader) => name === undefined || reader.name === name);
  if (found) return found;
  throw new Declined(
    'not_found',
    `${digest.id} has no reader ${name ?? ''}`,
    digest.readers.map((reader) => reader.name),
  );
}

function formatIn(name: string): Format {
  const found = formats.find((format) => format === name);
  if (!found) throw new Declined('not_found', `there is no format ${name}`, formats);
  return found;
}

/** A past document. Errors: Declined if the snapshot it was made from has been removed (see pins.ts). */
export async function madeAgain(digests: DigestDeps, send: Send): Promise<Rendered> {
  try {
    return await again(digests, send);
  } catch (error) {
    if (!(error instanceof DamagedWarehouse)) throw error;
    digests.log(`digest ${send.digest} ${send.period} cannot be made again: ${error.message}`);
    throw new Declined(
      'not_found',
      `${send.digest} ${send.period} cannot be made again: its snapshot ${send.snapshot} is not there any more`,
    );
  }
}

export function addDigestDocuments(app: Hono, deps: ApiDeps): void {
  app.get('/digests/:id/:file{preview\\.(?:pdf|csv|xlsx)}', async (c) => {
    const digests = digestsOf(deps, c);
    const { digest, is_agreed } = storedDigest(digests, c.req.param('id'));
    const format = formatIn(c.req.param('file').split('.')[1] ?? '');
    const asked = queryOf(c, previewDigest.query);
    const reader = readerIn(digest, asked.reader);
    const period = periodIn(digests, digest, asked.for);
    const wanted = { reader, period, snapshot: snapshotOf(deps), formats: [format], is_agreed };
    const { files } = await seen(reader.name, () => previewed(digests, digest, wanted));
    return fileAnswer(c, files[0] as File);
  });

  app.get(routed(downloadDigest), async (c) => {
    const digests = digestsOf(deps, c);
    const { id, period, format } = c.req.param();
    const wanted = formatIn(format ?? '');
    const { reader, channel } = queryOf(c, downloadDigest.query);
    const asked = { digest: id ?? '', period: period ?? '' };
    const whole = channel === undefined ? undefined : channelIn(digests, { ...asked, channel });
    const send = digests.store.ledger.findMade({ ...asked, reader, channel: whole });
    if (!send?.made) throw new Declined('not_found', `${id} ${period} was never made`);
    if (!madeFrom(send.made).digest.formats.includes(wanted))
      throw new Declined('not_found', `it was not sent as ${wanted}`);
    const { files } = await madeAgain(digests, send);
    const file = files.find(({ name }) => name.endsWith(wanted === 'csv' ? '.csv.zip' : `.${wanted}`));
    if (!file) throw new Declined('not_found', `it was not sent as ${wanted}`);
    return fileAnswer(c, file);
  });
}
