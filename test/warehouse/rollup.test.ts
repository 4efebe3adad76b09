// What a snapshot counts in advance: the same answers as from the chats themselves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '#warehouse/engine.ts';
import { compile } from '#warehouse/query/compile.ts';
import { rollupIn } from '#warehouse/query/rollup.ts';
import { metrics, metricOf, type MetricId } from '#warehouse/definitions/metrics.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { none, shortcutsOf } from '#warehouse/query/shortcuts.ts';
import { publish } from '#warehouse/store/snapshot.ts';
import { account, later, second, type Chat } from './account.ts';
import { askOf, contextOf, run } from './query-context.ts';

const folder = mkdtempSync(join(tmpdir(), 'chatledger-kept-'));
const rates = ['rated_good', 'rated_bad', 'not_rated', 'rated'] as const;

/** Chats at uneven times over the spring switch, of every kind. */
const chats: Chat[] = Array.from({ length: 240 }, (_, index) => ({
  start: new Date((second('2026-03-26T05:03:00Z') + index * 2_777 + (index % 7) * 401) * 1000).toISOString(),
  seconds: 60 + (index % 11) * 137,
  rate: rates[index % 4] ?? 'not_rated',
  engagement: ['auto_invite', 'manual_invite', 'immediate_start', 'other'][index % 4] ?? 'other',
  isReplied: index % 5 !== 0,
  visitor: index % 9 === 0 ? '' : `V${(index * 7) % 50}`,
  groups: [index % 3],
  tags: index % 2 === 0 ? ['a', 'b'] : [],
  ...(index % 3 === 0 ? { queue: index % 50 } : {}),
  ...(index % 5 === 0 ? {} : { first: [index % 90, 'a@x.test'] as const }),
}));

const questions: Record<string, string>[] = [
  { timezone: 'UTC' },
  { timezone: 'Europe/Warsaw' },
  { timezone: 'Asia/Kathmandu', grain: 'hour' },
  { timezone: 'America/St_Johns', grain: 'week' },
  { timezone: 'Europe/Warsaw', grain: 'month' },
  { timezone: 'Europe/Warsaw', grain: 'total' },
  { timezone: 'Asia/Kolkata', grain: 'total', split: 'weekday,hour_of_day' },
];

describe('a snapshot', () => {
  let writer: Store;
  let snapshot: Store;
  beforeAll(async () => {
    writer = await account(chats);
    const { file } = await publish(writer, folder, second('2027-02-01T00:00:00Z') * 1000);
    snapshot = await openWarehouse(file, { readOnly: true });
  });
  afterAll(async () => {
    await snapshot.close();
    await writer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const archived = metrics.filter((metric) => metric.archived && !metric.always);
  it.each(questions)('answers %j as the chats do, for every metric', async (question) => {
    const range = { from: '2026-03-27', to: '2026-04-02' };
    for (const { id } of archived) {
      const counted = await run(writer, id, { ...question, ...range }, later);
      expect(await run(snapshot, id, { ...question, ...range }, later)).toEqual(counted);
    }
  });

  it('is read where a question is about all chats, and only there', async () => {
    const shortcuts = await shortcutsOf(snapshot, localReader);
    const sqlOf = (question: Record<string, string>, id: MetricId = 'chat_ratings'): string => {
      const metric = metricOf(id);
      const asked = askOf(metric, question, contextOf(snapshot, later));
      return compile(metric, asked, snapshot.dialect, ['archived'], shortcuts).sql;
    };
    expect(sqlOf({})).toContain('facts.chat_quarters');
    expect(sqlOf({ grain: 'total', split: 'weekday' })).toContain('facts.chat_quarters');
    expect(sqlOf({ group: '1' })).not.toContain('facts.chat_quarters');
    expect(sqlOf({ country: 'Poland' })).not.toContain('facts.chat_quarters');
    expect(sqlOf({ split: 'tag' })).not.toContain('facts.chat_quarters');
    expect(sqlOf({}, 'repeat_contact')).toContain('facts.chat_quarters');
    expect(sqlOf({ group: '1' }, 'repeat_contact')).not.toContain('facts.chat_quarters');
  });

  it('does not trust a column that keeps another definition', async () => {
    const metric = metricOf('total_chats');
    const quarters = new Map([['count(*) filter (where true)', 'all_chats']]);
    const { sql } = compile(metric, askOf(metric, {}, contextOf(snapshot, later)), snapshot.dialect, ['archived'], {
      ...{ ...none, quarters },
      isAnswered: true,
    });
    expect(sql).not.toContain('facts.chat_quarters');
  });

  it('is kept in published files only', async () => {
    expect((await rollupIn(writer)).size).toBe(0);
    expect((await rollupIn(snapshot)).size).toBeGreaterThan(8);
  });
});
