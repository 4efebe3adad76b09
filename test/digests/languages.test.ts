// Languages of documents: each tag is set as a document or refused with the choices, whoever names it.
import { inflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { languages } from '#digests/language.ts';
import { round } from '#digests/scheduler.ts';
import type { Store } from '#warehouse/engine.ts';
import { apiDeps } from '../api/deps.ts';
import { isWhole } from '../chance.ts';
import { account } from '../warehouse/account.ts';
import { digestDeps, digest } from './deps.ts';
import { promisedApi } from '../api/promised-api.ts';

let engine: Store;
beforeAll(async () => void (engine = await account([{ start: '2026-05-04T10:00:00Z' }])));
afterAll(() => engine.close());

const taken = [
  ...['en', 'EN-gb', 'de-CH-1996', 'es-419', 'pt-BR', 'zh-Hant', 'zh-Hant-HK', 'sr-Latn-RS', 'en-150', 'ar-001'],
  ...['he', 'fa', 'ja', 'th-u-ca-buddhist', 'ar-u-nu-arab', 'en-u-nu-hanidec', 'en-u-nu-nonsense', 'en-x-private'],
  ...['eo', 'ia', 'yi', 'fil', 'gsw', 'iw', 'sh', 'cmn', 'en-ZZ', 'en-AA', 'en-t-jp', 'en-GB-oxendict'],
];
const refused = [
  ...['a', 'und', 'xx', 'mul', 'zxx', 'tlh', 'root', 'C', 'en_GB', 'en GB', 'abcdefgh', 'i-klingon', 'x-private'],
  ...['en-', '-en', '419', 'en-u-nu-', '*', 'en;q=0.9', '../etc', 'é', '__proto__', `en-x-${'abcdefgh-'.repeat(9)}a`],
];

/** Empty where it is no text of the file. */
function unpacked(text: string): string {
  try {
    return inflateSync(Buffer.from(text, 'latin1')).toString('latin1');
  } catch {
    return '';
  }
}

interface Told {
  error: { message: string; choices: string[] };
}

describe('a page as a document', () => {
  let api: ReturnType<typeof promisedApi>;
  beforeAll(() => void (api = promisedApi(apiDeps(engine))));
  const asked = (tag: string) =>
    api.request(
      `http://127.0.0.1:3000/api/dashboards/queue.pdf?from=2026-05-04&to=2026-05-05&language=${encodeURIComponent(tag)}`,
    );

  // That all of them are taken is asked of a digest below, which takes the same and sets nothing.
  it.each(taken.filter((_, place) => isWhole || place % 6 === 0))('is set in %s', async (tag) => {
    const answer = await asked(tag);
    expect([tag, answer.status]).toEqual([tag, 200]);
    expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-');
  });

  it('is read from the left, as its words are, also where numbers and dates are Hebrew or Arabic', async () => {
    for (const tag of ['he', 'ar-001', 'fa', 'en']) {
      const pdf = Buffer.from(await (await asked(tag)).arrayBuffer()).toString('latin1');
      const streams = [...pdf.matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)].map(([, text = '']) => unpacked(text));
      expect([tag, [pdf, ...streams].join('').match(/\/Direction ?\/\w+/g)]).toEqual([tag, ['/Direction /L2R']]);
    }
  });

  it.each(refused)('is refused in %j, with the choices', async (tag) => {
    const answer = await asked(tag);
    expect([tag, answer.status]).toEqual([tag, 400]);
    const { error } = (await answer.json()) as Told;
    expect(error.message).toContain('language: must be a language tag such as');
    expect(error.choices).toEqual([...languages]);
  });

  it('is set in each of the choices that a refusal names', async () => {
    const some = languages.filter((_, place) => isWhole || place % 8 === 0);
    for (const tag of some) expect([tag, (await asked(tag)).status]).toEqual([tag, 200]);
  });
});

describe('a digest', () => {
  const { id: _id, ...body } = digest({ channels: [{ kind: 'folder' }], formats: ['pdf'] });
  let api: ReturnType<typeof promisedApi>;
  beforeAll(() => void (api = promisedApi(apiDeps(engine, { digests: digestDeps(engine, []) }))));
  const saved = (differs: object) =>
    api.request('http://127.0.0.1:3000/api/digests/week', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...body, ...differs }),
    });

  it('and its readers take what a page takes, and nothing else', async () => {
    for (const [tags, status] of [
      [taken, 200],
      [refused, 400],
    ] as const)
      for (const language of tags) {
        expect([language, (await saved({ language })).status]).toEqual([language, status]);
        const readers = [{ name: 'ann', language }];
        expect([language, (await saved({ readers })).status]).toEqual([language, status]);
      }
    const { error } = (await (await saved({ language: 'xx' })).json()) as Told;
    expect(error.choices).toEqual(['language: must be a language tag such as de, el, en-GB, es-419 or zh-Hant']);
  });

  it('that was kept with a language of which nothing is known is read and sent all the same', async () => {
    const it = digestDeps(engine, []);
    const kept = { ...body, id: 'week', language: 'tlh', readers: [{ name: 'ann', language: 'abcdefgh' }] };
    it.store.save(kept, it.now - 3600);
    await round(it);
    expect(it.store.ledger.history('week', 1)).toMatchObject([{ state: 'sent' }]);
  });
});
