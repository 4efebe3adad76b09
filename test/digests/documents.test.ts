// Documents: the numbers of the API, every name as plain text, tagged, the same bytes every time.
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestQuestions, documentContext } from '#digests/digest-questions.ts';
import type { Length } from '#digests/digest.ts';
import { digestDocument, type DigestDocument, type KeyFigure } from '#digests/document.ts';
import { pagesOf } from '#digests/pdf/pages.ts';
import { pdfOf } from '#digests/pdf/pdf.ts';
import { rangeOf } from '#digests/periods.ts';
import { breakableText, plainText } from '#digests/plain-text.ts';
import { csvOf, csvZipOf } from '#digests/tables/csv.ts';
import { sheetsOf } from '#digests/tables/sheets.ts';
import { xlsxOf } from '#digests/tables/xlsx.ts';
import { dashboards } from '#dashboards/dashboards.ts';
import { round } from '#dashboards/numbers.ts';
import type { Grain } from '#dashboards/panel.ts';
import type { ComparisonKind } from '#dashboards/panel-queries.ts';
import type { Store } from '#warehouse/engine.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { apiDeps } from '../api/deps.ts';
import { account, insert, type Chat } from '../warehouse/account.ts';
import { promisedApi } from '../api/promised-api.ts';

const hostile = [
  '#set page(fill: red) *bold* _x_ $ 1/0 $ `raw` <label> @ref // /* ] ) }',
  '=HYPERLINK("http://evil.example","x")',
  '<script>alert(1)</script>\r\nBcc: all@example.com',
  'משה לוי, أحمد المصري, 山田太郎, Ελένη, Жанна',
  '\u202egnp.exe\u0007',
  'A'.repeat(80),
];
const login = (at: number): string => `agent${at}@x.test`;
const people = [
  ...hostile,
  ...Array.from({ length: 194 }, (_, at) => `Agent ${at} ${'with a very long name '.repeat(4)}`.slice(0, 80)),
];
const tags = ['+sum', '@cmd', '\t=1+1', '#tag[*x*]', 'plain'];

const chats: Chat[] = people.flatMap((_, at): Chat[] => [
  {
    start: `2026-05-${String((at % 7) + 4).padStart(2, '0')}T1${at % 10}:00:00Z`,
    agents: [login(at)],
    groups: [at % 3],
    tags: [tags[at % tags.length] ?? ''],
    rate: at % 4 ? 'rated_good' : 'rated_bad',
  },
  { start: `2026-04-2${at % 5}T10:00:00Z`, agents: [login(at % 7)], rate: 'rated_good' },
]);

let engine: Store;
beforeAll(async () => {
  engine = await account(chats);
  await insert(
    engine,
    'account',
    'agents',
    people.map((name, at) => ({ login: login(at), name })),
  );
});
afterAll(() => engine.close());

async function document(
  from: string,
  to: string,
  content: readonly string[],
  of: Store = engine,
  split: readonly string[] = [],
  {
    group = [],
    length = 'full',
    published_at = '2027-02-01T00:00:00.000Z',
    target,
    compare,
    grain,
  }: {
    group?: readonly number[];
    length?: Length;
    published_at?: string;
    target?: number;
    compare?: ComparisonKind;
    grain?: Grain;
  } = {},
): Promise<DigestDocument> {
  const snapshot = { id: '20270201-000000-000', published_at, engine: of };
  const context = await documentContext(localReader, snapshot, { id: 'default', timezone: 'UTC', since: '2026-01-01' });
  const scope = {
    period: rangeOf(from, to),
    timezone: 'UTC',
    filters: { group: [...group], agent: [], tag: [], variable: [] },
    target,
    compare,
    grain,
  };
  const order = {
    title: hostile[0] ?? '',
    reader: hostile[2] ?? '',
    language: 'en-GB',
    paper: 'a4',
    ...{ content, split, length },
    stamps: [],
  } as const;
  return digestDocument(await digestQuestions(context, scope), order);
}

/** Everything that a PDF says outside its drawings: the object streams unpacked. */
function unpacked(pdf: Uint8Array): string {
  const text = Buffer.from(pdf).toString('latin1');
  return [...text.matchAll(/\/Type \/ObjStm[^>]*\/Length (\d+) >>\nstream\n/g)]
    .map((found) => {
      const start = found.index + found[0].length;
      return inflateSync(Buffer.from(text.slice(start, start + Number(found[1])), 'latin1')).toString('latin1');
    })
    .join('\n');
}

describe('the numbers', () => {
  it('of a split panel are those of each value, and its picture is set', async () => {
    const split = ['csat.agent', 'ratings-trend.weekday'];
    const made = await document('2026-05-04', '2026-05-10', ['ratings'], engine, split);
    const panels = made.sections.flatMap((section) => section.panels);
    const byAgent = panels.find(({ panel }) => panel.id === 'csat');
    expect(byAgent?.panel.title).toBe('Satisfaction over time (CSAT), by agent');
    expect(byAgent?.answers.map(({ split }) => split)).toEqual([['agent'], ['agent']]);
    const sheet = sheetsOf(made).find(({ name }) => name.endsWith('ratings-csat'));
    expect(new Set(sheet?.rows.map(([, agent]) => agent)).size).toBe(people.length);
    expect(sheet?.rows.length).toBe(people.length * 7);
    const written = [...pagesOf(made).values()].join();
    expect(written).toContain('Satisfaction over time (CSAT), by agent');
    expect(written).toContain(`${people.length - 5} more not drawn; the table has all of them.`);
    expect(written).toContain('Good and bad ratings, by weekday');
  });

  it('are compared with what the page is compared with', async () => {
    const told = async (compare?: ComparisonKind): Promise<unknown> => {
      const { keyFigures } = await document('2026-05-04', '2026-05-10', ['chats'], engine, [], compare && { compare });
      return [...new Set(keyFigures.map(({ answer }) => answer?.compare?.from))];
    };
    expect(await told()).toEqual(['2026-04-27']);
    expect(await told('year')).toEqual(['2025-05-05']);
    expect(await told('none')).toEqual([undefined]);
    const { clear, change } = await document('2026-05-04', '2026-05-10', ['chats'], engine, [], { compare: 'none' });
    expect([clear, change]).toEqual([[{ text: 'No comparison is chosen.' }], undefined]);
  });

  it('are drawn by the grain that the page is drawn by, the lines of key figures by one that they have room for', async () => {
    const drawn = async (grain?: Grain) => {
      const made = await document('2026-05-04', '2026-05-10', ['chats'], engine, [], grain && { grain });
      const volume = made.sections.flatMap(({ panels }) => panels).find(({ panel }) => panel.id === 'volume');
      return [volume?.answers[0]?.grain, volume?.answers[0]?.rows.length];
    };
    expect(await drawn()).toEqual(['day', 7]);
    expect(await drawn('week')).toEqual(['week', 1]);
    expect(await drawn('hour')).toEqual(['hour', 168]);
    const figures = async (grain: Grain) =>
      (await document('2026-05-04', '2026-05-10', ['chats'], engine, [], { grain })).keyFigures;
    expect((await figures('hour')).map(({ figures: it }) => it)).toEqual(
      (await figures('day')).map(({ figures: it }) => it),
    );
  });

  it('of a day that is not over end with the hour in which its numbers were published', async () => {
    const at = { published_at: '2026-05-04T10:30:00.000Z' };
    const { sections } = await document('2026-05-04', '2026-05-04', ['chats'], engine, [], at);
    const volume = sections.flatMap(({ panels }) => panels).find(({ panel }) => panel.id === 'volume');
    const rows = volume?.answers[0]?.rows ?? [];
    expect(rows.map(({ chats }) => chats !== null)).toEqual([...Array(11).fill(true), ...Array(13).fill(false)]);
  });

  it('settle only when all days of the period have been pulled', async () => {
    const settles = async (from: string, to: string) => (await document(from, to, ['overview'])).cover.settles;
    expect(await settles('2026-05-04', '2026-05-10')).toBe('complete: late changes are no longer expected');
    expect(await settles('2025-12-22', '2025-12-28')).toBe('not yet: some of it has not been pulled');
  });

  it('of every key figure are those that the API gives', async () => {
    const { keyFigures, sections } = await document('2026-05-04', '2026-05-10', ['overview', 'ratings']);
    const api = promisedApi(
      apiDeps(engine, { accounts: () => [{ id: 'default', timezone: 'UTC', since: '2026-01-01' }] }),
    );
    const all = [...keyFigures, ...sections.flatMap((section) => section.keyFigures)];
    let compared = 0;
    for (const { panel, figures } of all) {
      const split = panel.split?.length ? `&split=${panel.split.join(',')}` : '';
      const asked = `/api/metrics/${panel.metric}?from=2026-05-04&to=2026-05-10&timezone=UTC&grain=total${split}`;
      const answer = (await (await api.request(`http://127.0.0.1:3000${asked}`)).json()) as {
        rows: Record<string, unknown>[];
      };
      const value = answer.rows[0]?.[panel.measures[0]?.measure ?? ''];
      if (panel.unit === 'count')
        expect(figures[0]?.text).toBe(typeof value === 'number' ? String(value) : 'not pulled');
      if (panel.unit === 'share' && typeof value === 'number')
        expect(figures[0]?.text).toBe(`${round(value * 100, 1).toFixed(1)}%`);
      compared++;
    }
    expect(compared).toBeGreaterThan(8);
  });

  it('that are missing stand in the table with the reason', async () => {
    const [before] = sheetsOf(await document('2025-12-22', '2025-12-28', ['overview']));
    expect(before?.columns.at(-1)).toBe('why there is no value');
    expect(before?.rows.length).toBeGreaterThan(3);
    for (const row of before?.rows ?? []) expect([row[1], row.at(-1)]).toEqual([null, 'not pulled']);
    const { keyFigures, ...rest } = await document('2026-05-04', '2026-05-10', ['overview']);
    const [first, ...others] = keyFigures as [KeyFigure, ...KeyFigure[]];
    const { answer: _, ...unanswered } = first;
    const refused = { text: 'not given', kind: 'not_given', reason: '=no such number' } as const;
    const [sheet] = sheetsOf({ ...rest, keyFigures: [{ ...unanswered, figures: [refused] }, ...others] });
    expect([sheet?.rows.length, sheet?.rows[0]?.[1]]).toEqual([keyFigures.length, null]);
    expect(sheet?.rows[0]?.at(-1)).toContain('not given: ');
    for (const row of sheet?.rows.slice(1) ?? []) expect(row[1] === null).toBe(row.at(-1) !== null);
    // Where nothing is missing there is no such column.
    const given = sheetsOf({ ...rest, keyFigures: keyFigures.filter(({ figures }) => figures[0]?.kind === 'number') });
    expect(given[0]?.columns).not.toContain('why there is no value');
  });

  it('of what changed add up to the whole change', async () => {
    const { change } = await document('2026-05-04', '2026-05-10', ['overview']);
    expect(change?.contributions.map(({ by }) => by)).toEqual(['group', 'agent', 'tag']);
    for (const { listed, rest, overlap } of change?.contributions ?? [])
      expect(listed.reduce((sum, part) => sum + part.change, rest + overlap)).toBe(
        (change?.is ?? 0) - (change?.was ?? 0),
      );
  });
});

describe('the PDF', () => {
  it('of 200 agents with long and hostile names is tagged, has title, language and alternative text, and stays small', async () => {
    const made = await document('2026-05-04', '2026-05-10', ['overview', 'ratings']);
    const pdf = await pdfOf(made);
    expect(pdf.length).toBeLessThan(1_000_000);
    const text = unpacked(pdf);
    for (const part of [
      '/StructTreeRoot',
      '/MarkInfo',
      '/Lang (en',
      '/S /H1',
      '/S /H2',
      '/S /TH',
      '/S /TD',
      '/S /Figure',
      '/Alt (',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain('evil.example/');
    expect(Buffer.compare(pdf, await pdfOf(made))).toBe(0);
  });

  it('of thousands of tags shows the first of them, and says where the others are', async () => {
    const many = Array.from({ length: 3000 }, (_, at) => `tag ${at}`);
    const tagged = await account([{ start: '2026-05-05T10:00:00Z', tags: many }]);
    const made = await document('2026-05-04', '2026-05-10', ['chats/tags'], tagged);
    const { tables } = JSON.parse(pagesOf(made).get('/document.json') ?? '') as {
      tables: { rows: unknown[]; rest: string }[];
    };
    const [pages] = tables;
    expect([pages?.rows.length, pages?.rest]).toEqual([
      1000,
      '2000 more rows are in the CSV and Excel files of this panel.',
    ]);
    expect((await pdfOf(made)).length).toBeLessThan(1_000_000);
    await tagged.close();
  });

  it('of an empty period and of one chat is made too', async () => {
    const empty = await document('2026-07-06', '2026-07-12', ['overview', 'queue', 'tickets']);
    expect(empty.keyFigures[0]?.figures[0]?.text).toBe('0');
    expect((await pdfOf(empty)).length).toBeGreaterThan(5000);
    const one = await account([{ start: '2026-05-05T10:00:00Z' }]);
    const single = await document('2026-05-04', '2026-05-10', ['overview'], one);
    expect(single.keyFigures[0]?.figures[0]?.text).toBe('1');
    const pdf = await pdfOf(single);
    expect(pdf.length).toBeGreaterThan(5000);
    expect(Buffer.compare(pdf, await pdfOf(single))).toBe(0);
    await one.close();
  });

  it('refers to no table that has no row', async () => {
    const unrated = await account([{ start: '2026-05-05T10:00:00Z' }]);
    const made = await document('2026-05-04', '2026-05-10', ['ratings'], unrated);
    const { sections, tables } = JSON.parse(pagesOf(made).get('/document.json') ?? '') as {
      sections: { panels: { title: string; nothing: string | null; table: number | null }[] }[];
      tables: { title: string; rows: unknown[] }[];
    };
    expect(tables.filter(({ rows }) => rows.length === 0)).toEqual([]);
    const byAgent = sections
      .flatMap(({ panels }) => panels)
      .find(({ title }) => title.startsWith('Agents by satisfaction'));
    expect(byAgent).toMatchObject({ nothing: 'There is no number in this period.', table: null });
    await unrated.close();
  });
});

describe('a short document', () => {
  const monday = ['overview', 'ratings', 'queue'];
  const pagesIn = (pdf: Uint8Array): number => unpacked(pdf).match(/\/Type \/Page\b/g)?.length ?? 0;
  const printed = (made: DigestDocument) =>
    JSON.parse(pagesOf(made).get('/document.json') ?? '') as { tables: unknown[]; clear: string[] };

  it.each([
    ['a week', '2026-05-04', '2026-05-10', monday, []],
    ['a day', '2026-05-05', '2026-05-05', monday, []],
    ['a year', '2026-01-01', '2026-12-31', monday, []],
    ['a week of one group', '2026-05-04', '2026-05-10', monday, [1]],
    ['one page', '2026-05-04', '2026-05-10', ['tickets'], []],
  ] as const)('of %s has at most two pages, and its files all numbers', async (_, from, to, content, group) => {
    const made = await document(from, to, content, engine, [], { group, length: 'short' });
    const pages = pagesIn(await pdfOf(made));
    expect([pages > 0, pages <= 2]).toEqual([true, true]);
    expect(printed(made).tables).toEqual([]);
    expect(sheetsOf(made)).toEqual(sheetsOf(await document(from, to, content, engine, [], { group })));
  });

  it('says what changed beyond chance, the farthest first, each with its receipt; or that nothing did', async () => {
    const rated = (monday: string, isGood: (at: number) => boolean): Chat[] =>
      Array.from({ length: 70 }, (_, at) => ({
        start: new Date(Date.parse(`${monday}T10:00:00Z`) + (at % 7) * 86_400_000).toISOString(),
        groups: [at % 2],
        rate: isGood(at) ? ('rated_good' as const) : ('rated_bad' as const),
      }));
    const saying = async (isGood: (at: number) => boolean, asOf = '2027-02-01T00:00:00.000Z') => {
      const own = await account([...rated('2026-04-27', (at) => at < 63), ...rated('2026-05-04', isGood)]);
      await own.exec(`update ledger.periods set pulled_at = '${asOf}', first_pulled_at = '${asOf}'`);
      const made = await document('2026-05-04', '2026-05-10', ['overview'], own, [], {
        ...{ length: 'short', published_at: asOf },
      });
      await own.close();
      expect(printed(made).clear).toEqual(made.clear.map(({ text }) => text));
      return made.clear;
    };
    const [fell, ...others] = await saying((at) => at < 35);
    expect(others).toEqual([]);
    expect(fell?.text).toMatch(/^Satisfaction \(CSAT\): 50\.0%, 40 points less than the week before\./);
    const { pathname, searchParams } = new URL(fell?.path ?? '', 'http://x');
    expect([pathname, searchParams.get('measure'), searchParams.get('from'), searchParams.get('to')]).toEqual([
      ...['/receipt/chat_ratings', 'csat', '2026-05-04', '2026-05-10'],
    ]);
    expect((await saying((at) => at < 62)).map(({ text }) => text)).toEqual([
      'Nothing changed clearly against the week before: differences this small come by chance.',
    ]);
    const alone = await account(rated('2026-05-04', () => true));
    const first = await document('2026-05-04', '2026-05-10', ['overview'], alone, [], { length: 'short' });
    await alone.close();
    expect(first.clear.map(({ text }) => text)).toEqual(['There is nothing before this period to compare with.']);
    const chart = await document('2026-05-04', '2026-05-10', ['overview/volume']);
    expect(chart.clear.map(({ text }) => text)).toEqual([
      'There are no key figures here whose change could be judged.',
    ]);
    expect(chart.cover.versions).toBe('1 metric, listed with versions on the last pages');
    // The days that are not final went well: the number of the key figure stands beside the one that fell.
    const unlike = await saying((at) => at % 7 > 3 || at < 14, '2026-05-15T12:00:00.000Z');
    expect(unlike.map(({ text }) => text)).toEqual([
      'Satisfaction (CSAT): 54.3%; 20.0% up to\u00a07\u00a0May, 70 points less than 27\u00a0Apr\u00a0– 30\u00a0Apr.',
    ]);
  });
});

describe('the seconds of a page', () => {
  it('count in its document too, and the document says them', async () => {
    const start = '2026-05-05T10:00:00Z';
    const own = await account(
      [5, 20, 40, 90].map((seconds) => ({ start, agents: ['a@x.test'], first: [seconds, 'a@x.test'] })),
    );
    const within = async (target?: number) => {
      const made = await document(
        '2026-05-05',
        '2026-05-05',
        ['responses'],
        own,
        [],
        target === undefined ? {} : { target },
      );
      const shown = made.sections.flatMap(({ panels }) => panels).find(({ panel }) => panel.id === 'first-within');
      const [answer] = shown?.answers ?? [];
      const sum = answer?.rows.reduce((all, row) => all + Number(row['within'] ?? 0), 0);
      const { sections } = JSON.parse(pagesOf(made).get('/document.json') ?? '') as {
        sections: { panels: { title: string; sentence: string }[] }[];
      };
      const printedPanel = sections
        .flatMap(({ panels }) => panels)
        .find(({ title }) => title.startsWith('First response within'));
      return [sum, answer?.target, printedPanel?.sentence.split('. ').at(-1)];
    };
    expect(await within(10)).toEqual([1, 10, 'In time means within 10 s.']);
    expect(await within(60)).toEqual([3, 60, 'In time means within 1 m.']);
    expect(await within()).toEqual([2, 30, 'In time means within 30 s.']);
    await own.close();
  });
});

describe('the tables', () => {
  it('neutralise what a spreadsheet would run, and leave negative numbers alone', () => {
    const csv = csvOf({
      name: 'x',
      title: 'x',
      columns: ['tag', 'change (chats)'],
      rows: [
        ['=1+1', -3],
        ['-x', -0.5],
        ['\tq', null],
        ['a"b,c\nd', 1],
        ['+49', { date: '2026-05-04' }],
      ],
    });
    expect(csv).toBe(
      'tag,change (chats)\r\n\'=1+1,-3\r\n\'-x,-0.5\r\n"\'\tq",\r\n"a""b,c\nd",1\r\n\'+49,2026-05-04\r\n',
    );
  });

  it.each([
    ['a;=1+1', `"a;'=1+1"`],
    ['a; \t-1|@x', `"a; \t'-1|'@x"`],
    ['a;b|c', '"a;b|c"'],
    ['a;"=1+1"', `"a;""'=1+1"""`],
    ['a;＝1+1', `"a;'＝1+1"`],
    ['＝1+1', "'＝1+1"],
    ['a\n+1', `"a\n'+1"`],
    ['a-b=c', 'a-b=c'],
    [';=1', `";'=1"`],
  ])('keep %j a text for whatever separates the cells', (text, written) => {
    const sheet = { name: 'x', title: 'x', columns: [text, 'n'], rows: [['x', 1, text]] };
    expect(csvOf(sheet)).toBe(`${written},n\r\nx,1,${written}\r\n`);
  });

  it('have no cell that begins like a formula, however a spreadsheet separates them', () => {
    const part = fc.constantFrom('=', '+', '-', '@', ';', '|', '\t', '\n', '\r', '"', "'", ' ', ',', 'a', '1', '＝');
    const text = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(fc.array(text, { minLength: 2, maxLength: 2 }), { maxLength: 3 }), (rows) => {
        const csv = csvOf({ name: 'x', title: 'x', columns: ['one', 'two'], rows });
        for (const separator of [';', '|', '\t'])
          for (const cell of csv.split(new RegExp(`[${separator}\r\n]`)))
            expect(cell.replaceAll(/^["\s]+/g, '')).not.toMatch(/^[=+\-@＝]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('say in a workbook what a text says, never a formula, a code for a letter or what XML does not have', async () => {
    const names = ['=1+1', 'a;=1+1', '_x0041_', 'x\ufffey\ud800z', '<f>1</f>'];
    const of = await account(names.map((tag) => ({ start: '2026-05-05T10:00:00Z', tags: [tag] })));
    const files = unzipSync(await xlsxOf(await document('2026-05-04', '2026-05-10', ['chats'], of)));
    await of.close();
    const said = Object.values(files)
      .map((file) => Buffer.from(file).toString())
      .join('\n');
    for (const text of ['>=1+1<', '>a;=1+1<', '>_x005F_x0041_<', '&lt;f&gt;1&lt;/f&gt;']) expect(said).toContain(text);
    expect(said).not.toMatch(/<f>|\ufffe/);
  });

  it('show numbers in a workbook as their unit is shown on pages, with all digits in the cell', async () => {
    const made = await document('2026-05-04', '2026-05-10', ['overview', 'ratings']);
    const files = unzipSync(await xlsxOf(made));
    const textOf = (name: string): string => Buffer.from(files[name] ?? []).toString();
    const styles = textOf('xl/styles.xml');
    const codes = new Map(
      [...styles.matchAll(/<numFmt numFmtId="(\d+)" formatCode="([^"]*)"/g)].map(([, id, code]) => [id, code]),
    );
    const [, cellStyles = ''] = /<cellXfs[^>]*>(.*)<\/cellXfs>/s.exec(styles) ?? [];
    const styleCodes = [...cellStyles.matchAll(/<xf\b[^>]*>/g)].map(([xf]) =>
      codes.get(/numFmtId="(\d+)"/.exec(xf)?.[1]),
    );
    /** The format of each number of a sheet, by the address of its cell. */
    const formatsIn = (number: number): Map<string, string | undefined> =>
      new Map(
        [
          ...textOf(`xl/worksheets/sheet${number}.xml`).matchAll(/<c r="([A-Z]+\d+)"(?: s="(\d+)")?(?: t="n")?><v>/g),
        ].map(([, cell = '', style]) => [cell, style === undefined ? undefined : styleCodes[Number(style)]]),
      );
    const sheets = sheetsOf(made);
    const expected: Record<string, string> = { share: '0.0%', seconds: '#,##0.0' };
    const figures = (sheets[0]?.rows ?? []).flatMap(([, value, unit], row) =>
      typeof value === 'number' ? [[`B${row + 2}`, String(unit)] as const] : [],
    );
    expect(figures.map(([, unit]) => unit)).toEqual(expect.arrayContaining(['chats', 'share']));
    for (const [cell, unit] of figures)
      expect({ cell, code: formatsIn(1).get(cell) }).toEqual({
        cell,
        code: /^[A-Z]{3}$/.test(unit) ? '#,##0.00' : expected[unit],
      });
    const csat = sheets.findIndex(({ name }) => name.endsWith('ratings-csat'));
    const letters = 'ABCDEFGHIJKL';
    const [shares, counts] = [true, false].map((isShare) =>
      sheets[csat]?.columns.flatMap((head, at) => (head.includes('(share)') === isShare ? [letters[at]] : [])),
    );
    const shown = [...formatsIn(csat + 1)].filter(([cell]) => !cell.startsWith('A'));
    expect(shown.filter(([, code]) => code === '0.0%').length).toBeGreaterThan(0);
    for (const [cell, code] of shown)
      if (shares?.includes(cell[0])) expect({ cell, code }).toEqual({ cell, code: '0.0%' });
      else if (counts?.includes(cell[0])) expect(code).not.toBe('0.0%');
  });

  it('hold the same numbers as CSV and as a workbook, typed, and are the same bytes every time', async () => {
    const made = await document('2026-05-04', '2026-05-10', ['overview', 'ratings']);
    const files = unzipSync(csvZipOf(made));
    const volume = Object.keys(files).find((name) => name.endsWith('overview-volume.csv')) ?? '';
    const lines = Buffer.from(files[volume] ?? [])
      .toString('utf8')
      .split('\r\n');
    expect(lines[0]).toBe('\ufeffperiod,chats,compared with,"chats, compared",state');
    expect(lines[1]).toMatch(/^2026-05-04,\d+,2026-04-27,0,complete$/);
    const ranking = sheetsOf(made).find(({ columns, rows }) => columns[0] === 'agent' && rows.length === 200);
    expect(ranking?.columns.slice(0, 2)).toEqual(['agent', 'agent name']);
    expect(ranking?.rows.every((row) => typeof row[2] === 'number')).toBe(true);
    const workbook = await xlsxOf(made);
    expect(Buffer.compare(workbook, await xlsxOf(made))).toBe(0);
    const sheet = Buffer.from(unzipSync(workbook)['xl/worksheets/sheet2.xml'] ?? []).toString();
    expect(sheet).not.toContain('<f>');
    expect(Buffer.compare(csvZipOf(made), csvZipOf(made))).toBe(0);
  });

  it('have a cell in every row for each column, whatever a panel is split by', async () => {
    const sheets = sheetsOf(
      await document(
        '2026-05-04',
        '2026-05-10',
        dashboards.map(({ id }) => id),
      ),
    );
    expect(sheets.flatMap(({ rows }) => rows).length).toBeGreaterThan(500);
    expect(sheets.find(({ columns }) => columns[0] === 'country')?.rows.length).toBeGreaterThan(0);
    for (const { name, columns, rows } of sheets)
      expect([name, rows.filter((row) => row.length !== columns.length)]).toEqual([name, []]);
  });
});

describe('text of others', () => {
  it('loses what cannot be seen and nothing else', () => {
    expect(plainText('a\u202eb\u0000c\r\nd')).toBe('abc d');
    expect(plainText('משה לוי 山田太郎 😀')).toBe('משה לוי 山田太郎 😀');
    expect(breakableText('A'.repeat(40)).replaceAll('\u200b', '')).toBe('A'.repeat(40));
    expect(breakableText('short words stay')).toBe('short words stay');
  });
});
