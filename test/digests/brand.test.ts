// Documents say what the installation is called that made them, now and when they are made again.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accentFrom } from '#dashboards/accent.ts';
import { agentsDocument } from '#digests/agents-document.ts';
import type { Brand } from '#digests/brand.ts';
import { documentContext } from '#digests/digest-questions.ts';
import { pagesOf } from '#digests/pdf/pages.ts';
import { agentsPdfOf, pdfOf } from '#digests/pdf/pdf.ts';
import { endRenderer } from '#digests/render/renderer.ts';
import { round } from '#digests/scheduler.ts';
import { again } from '#digests/send-inputs.ts';
import type { Store } from '#warehouse/engine.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { account } from '../warehouse/account.ts';
import { digest, digestDeps } from './deps.ts';

let engine: Store;
beforeAll(async () => {
  engine = await account([{ start: '2026-05-05T10:00:00Z', agents: ['ann@x.test'] }]);
});
afterAll(async () => {
  await engine.close();
  endRenderer();
});

const nordwind: Brand = { name: 'Nordwind #set page(fill: red)', accent: '#ffd400' };
/** The metadata of a PDF is not packed. */
const authorOf = (pdf: Uint8Array): string | undefined =>
  /<dc:creator><rdf:Seq><rdf:li>(.*?)<\/rdf:li>/.exec(Buffer.from(pdf).toString('utf8'))?.[1];

it('a digest is made again with the name that it was sent with', async () => {
  let brand = nordwind;
  const it = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }], formats: ['pdf'] })], {
    brand: () => brand,
  });
  await round(it);
  brand = { name: 'Another', accent: null };
  const [send] = it.store.ledger.history('week', 5);
  if (!send) throw new Error('nothing was sent');
  const { document, files } = await again(it, send);
  expect(authorOf(files[0]?.bytes as Uint8Array)).toBe(nordwind.name);
  expect(authorOf(await pdfOf(document))).toBe('Chatledger');
});

it('the accent is on paper as dark as in the light theme, and the same bytes come again', async () => {
  const it = digestDeps(engine, [digest({ channels: [{ kind: 'folder' }], formats: ['pdf'] })]);
  await round(it);
  const [send] = it.store.ledger.history('week', 5);
  if (!send) throw new Error('nothing was sent');
  const { document } = await again(it, send);
  const { brand } = JSON.parse(pagesOf(document, nordwind).get('/document.json') ?? '') as { brand: object };
  expect(brand).toMatchObject({ accent: accentFrom('#ffd400').light.accent });
  const [with_accent, without] = [
    await pdfOf(document, nordwind),
    await pdfOf(document, { ...nordwind, accent: null }),
  ];
  expect(Buffer.compare(with_accent, await pdfOf(document, nordwind))).toBe(0);
  expect(Buffer.compare(with_accent, without)).not.toBe(0);
});

it('so does the table of agents', async () => {
  const snapshot = { id: 's1', published_at: '2026-06-01T00:00:00.000Z', engine };
  const context = await documentContext(localReader, snapshot, { id: 'default', timezone: 'UTC', since: '2026-01-01' });
  const document = await agentsDocument({ from: '2026-05-01', to: '2026-05-31', timezone: 'UTC' }, context);
  expect(authorOf(await agentsPdfOf(document, nordwind))).toBe(nordwind.name);
  expect(authorOf(await agentsPdfOf(document))).toBe('Chatledger');
});
