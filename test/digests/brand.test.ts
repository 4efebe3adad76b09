// Documents say what the installation is called that made them, now and when they are made again.
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accentFrom } from '#dashboards/accent.ts';
import { agentsDocument } from '#digests/agents-document.ts';
import { brandFrom, keptBrand, type Brand } from '#digests/brand.ts';
import type { DigestDocument } from '#digests/document.ts';
import { documentContext } from '#digests/digest-questions.ts';
import { pagesOf } from '#digests/pdf/pages.ts';
import { agentsPdfOf, pdfOf } from '#digests/pdf/pdf.ts';
import { endRenderer, onWarning, rendered } from '#digests/render/renderer.ts';
import { round } from '#digests/scheduler.ts';
import { again } from '#digests/send-inputs.ts';
import type { Store } from '#warehouse/engine.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { account } from '../warehouse/account.ts';
import { pngOf } from '../png.ts';
import { digest, digestDeps } from './deps.ts';

let engine: Store;
beforeAll(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z', agents: ['ann@x.test'] }]);
});
afterAll(async () => {
  await engine.close();
  endRenderer();
});

const nordwind: Brand = { name: 'Nordwind #set page(fill: red)', accent: '#ffd400', logo: null };
/** The metadata of a PDF is not packed. */
const authorOf = (pdf: Uint8Array): string | undefined =>
  /<dc:creator><rdf:Seq><rdf:li>(.*?)<\/rdf:li>/.exec(Buffer.from(pdf).toString('utf8'))?.[1];

async function week(): Promise<DigestDocument> {
  const it = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }], formats: ['csv'] })]);
  await round(it);
  const [send] = it.store.ledger.history('week', 5);
  if (!send) throw new Error('nothing was sent');
  return (await again(it, send)).document;
}

const withLogo = (png: Uint8Array, width = 64, height = 32): Brand => ({
  ...nordwind,
  logo: { version: 'v1', width, height, png },
});
/** Pictures in a PDF; those of charts are drawings. */
const picturesIn = (pdf: Uint8Array): number =>
  Buffer.from(pdf)
    .toString('latin1')
    .match(/\/Subtype ?\/Image/g)?.length ?? 0;

it('a digest is made again with the name that it was sent with', async () => {
  let brand = nordwind;
  const it = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }], formats: ['pdf'] })], {
    brand: () => brand,
  });
  await round(it);
  brand = { name: 'Another', accent: null, logo: null };
  const [send] = it.store.ledger.history('week', 5);
  if (!send) throw new Error('nothing was sent');
  const { document, files } = await again(it, send);
  expect(authorOf(files[0]?.bytes as Uint8Array)).toBe(nordwind.name);
  expect(authorOf(await pdfOf(document))).toBe('Chatledger');
});

it('the accent is on paper as dark as in the light theme, and the same bytes come again', async () => {
  const document = await week();
  const { brand } = JSON.parse(pagesOf(document, nordwind).get('/document.json') ?? '') as { brand: object };
  expect(brand).toMatchObject({ accent: accentFrom('#ffd400').light.accent });
  const [with_accent, without] = [
    await pdfOf(document, nordwind),
    await pdfOf(document, { ...nordwind, accent: null }),
  ];
  expect(Buffer.compare(with_accent, await pdfOf(document, nordwind))).toBe(0);
  expect(Buffer.compare(with_accent, without)).not.toBe(0);
});

it('a logo stands in it, fits its room, and goes once it is another', async () => {
  const document = await week();
  const logo = withLogo(pngOf(64, 32));
  expect(picturesIn(await pdfOf(document, logo))).toBe(1);
  expect(picturesIn(await pdfOf(document, nordwind))).toBe(0);
  const sizeOf = (width: number, height: number): unknown =>
    (JSON.parse(pagesOf(document, withLogo(pngOf(16, 16), width, height)).get('/document.json') ?? '') as never)[
      'brand'
    ]['logo'];
  expect([sizeOf(64, 32), sizeOf(1024, 16), sizeOf(16, 1024)]).toEqual([
    { width: 16, height: 8 },
    { width: 60, height: 0.9375 },
    { width: 0.125, height: 8 },
  ]);
  const kept = keptBrand(logo);
  expect(brandFrom(kept, logo)).toEqual(logo);
  expect(brandFrom(kept, { ...nordwind, logo: { ...logo.logo, version: 'v2' } as Brand['logo'] })).toEqual(nordwind);
});

it('a logo that cannot be read fails no document: it is left out and told of, and the next one has its own', async () => {
  const document = await week();
  const told: string[] = [];
  onWarning((sentence) => void told.push(sentence));
  const whole = pngOf(64, 32);
  const broken = {
    'whose pixels are no pixels': pngOf(64, 32, Buffer.from('no pixels')),
    'that ends in the middle': whole.subarray(0, 40),
    'with a wrong checksum': Buffer.concat([whole.subarray(0, 29), Buffer.alloc(4), whole.subarray(33)]),
    'that says to be larger than it is': pngOf(1024, 1024, deflateSync(Buffer.alloc(100))),
  };
  const without = await pdfOf(document, nordwind);
  for (const [what, png] of Object.entries(broken)) {
    const bytes = await rendered({ format: 'pdf', document, brand: withLogo(png) });
    expect(Buffer.compare(bytes, without), what).toBe(0);
  }
  expect(told).toHaveLength(Object.keys(broken).length);
  expect(told[0]).toContain('the logo is left out of a document');
  expect(picturesIn(await rendered({ format: 'pdf', document, brand: withLogo(whole) }))).toBe(1);
  expect(told).toHaveLength(Object.keys(broken).length);
});

it('so does the table of agents', async () => {
  const snapshot = { id: 's1', published_at: '2026-06-01T00:00:00.000Z', engine };
  const context = await documentContext(localReader, snapshot, { id: 'default', timezone: 'UTC', since: '2026-01-01' });
  const document = await agentsDocument({ from: '2026-05-01', to: '2026-05-31', timezone: 'UTC' }, context);
  expect(authorOf(await agentsPdfOf(document, nordwind))).toBe(nordwind.name);
  expect(authorOf(await agentsPdfOf(document))).toBe('Chatledger');
});
