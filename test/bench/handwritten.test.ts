// What is measured against each other must be the same question: both give the same sums.
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderOf, generated, now, zone } from '../../bench/generate.ts';
import { handwrittenFor } from '../../bench/handwritten.ts';
import { measured, spans } from '../../bench/questions.ts';
import type { Row, Store } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { run } from '../warehouse/query-context.ts';

const chats = 40_000;

/** Ours and theirs, of which the sums must agree. */
const sums: Record<string, readonly [ours: string, byHand: string][]> = {
  total_chats: [['chats', 'chats']],
  chat_ratings: [
    ['good', 'good'],
    ['bad', 'bad'],
    ['chats', 'chats'],
  ],
  chat_ranking: [
    ['good', 'good'],
    ['bad', 'bad'],
  ],
  first_response_time: [
    ['count', 'n'],
    ['seconds', 'mean'],
  ],
  waiting_times: [
    ['entered_chat_count', 'n'],
    ['entered_chat_average', 'mean'],
    ['entered_chat_max', 'longest'],
    ['left_queue_count', 'gone'],
    ['left_queue_average', 'gone_mean'],
  ],
  goals: [['sales_count', 'sales']],
  chatting_time: [
    ['hours', 'hours'],
    ['chat_hours', 'chat_hours'],
  ],
  concurrent_chats: [['most', 'most']],
};

const total = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0);

describe('questions of the benchmark', () => {
  let engine: Store;
  beforeAll(async () => {
    engine = await openWarehouse(await generated(chats), { readOnly: true });
  });
  afterAll(async () => {
    await engine.close();
    rmSync(folderOf(chats), { recursive: true, force: true });
  });

  it.each(measured.map((it) => [it.name, it] as const))('%s is the same question by hand', async (name, it) => {
    for (const span of it.spans ?? (['30d', '1y'] as const)) {
      const context = { account: 'default', zone, now };
      const { rows } = await run(engine, it.metric, { ...it.question, ...spans[span] }, context);
      const byHand = await engine.query(handwrittenFor(name, span));
      expect(rows.every((row) => row.state === 'complete')).toBe(true);
      for (const [ours, theirs] of sums[it.metric] ?? []) {
        const expected = total(byHand, theirs);
        if (span === '1y') expect(expected).toBeGreaterThan(0);
        expect([ours, total(rows, ours)]).toEqual([ours, expect.closeTo(expected, 4)]);
      }
    }
  });
});
