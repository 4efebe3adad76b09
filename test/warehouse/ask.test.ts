// What can be asked, and what a refusal says.
import { describe, expect, it } from 'vitest';
import type { QueryTexts } from '#api/question.ts';
import { compile } from '#warehouse/query/compile.ts';
import { duckdb } from '#warehouse/engines/duckdb-dialect.ts';
import { Refused } from '#warehouse/errors.ts';
import { catalogue, metricOf, metrics } from '#warehouse/definitions/metrics.ts';
import { localReader } from '#warehouse/query/reader.ts';
import { later, second } from './account.ts';
import { accountOf, askOf } from './query-context.ts';

const now = second('2026-03-01T23:30:00Z');
const context = { account: accountOf({ ...later, zone: 'Europe/Warsaw' }), now, reader: localReader };
const ask = (question: QueryTexts, metric = 'total_chats') => askOf(metricOf(metric), question, context);

function refusal(question: QueryTexts, metric?: string): Refused {
  try {
    ask(question, metric);
  } catch (error) {
    if (error instanceof Refused) return error;
    throw error;
  }
  throw new Error('it was not refused');
}

describe('a question', () => {
  it('asks the last 30 local days by day in the zone of the account by default', () => {
    expect(ask({})).toEqual({
      account: 'default',
      timezone: 'Europe/Warsaw',
      from: '2026-02-01',
      to: '2026-03-02',
      grain: 'day',
      split: [],
      filters: {},
    });
  });

  it.each<[QueryTexts, string]>([
    [{ from: '2026-02-30' }, 'not a date'],
    [{ from: '1999-12-31' }, 'before 2000-01-01'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'after to'],
    [{ timezone: '+02:00' }, 'not an IANA time zone'],
    [{ group: 'one' }, 'not a number'],
    [{ from: ['2026-01-01', '2026-01-02'] }, 'takes one value'],
    [{ from: '2020-01-01', to: '2026-01-01', grain: 'hour' }, 'too much'],
    [{ from: '2000-01-01', to: '2100-01-01' }, 'too long'],
  ])('%j is refused: %s', (question, words) => {
    expect(refusal(question).message).toContain(words);
  });

  it('refusals name the choices', () => {
    expect(refusal({ split: 'planet' }).choices).toContain('hour_of_day');
    expect(refusal({ grain: 'year' }).choices).toEqual(['hour', 'day', 'week', 'month', 'total']);
    expect(refusal({ compare: 'never' }).choices).toEqual(['previous', 'year']);
    expect(refusal({ colour: 'red' }).choices).toContain('timezone');
    expect(refusal({ version: '2' }).choices).toEqual(['1']);
    expect(refusal({ goal: '1' }).choices).toEqual(['group', 'agent', 'tag', 'country', 'variable']);
    expect(() => metricOf('nope')).toThrow(Refused);
  });

  it('compiles to a statement that carries its values as parameters', () => {
    const { sql, params } = compile(metricOf('total_chats'), ask({ tag: "x' or 1=1", split: 'agent' }), duckdb);
    expect(params.tag_1).toBe("x' or 1=1");
    expect(sql).not.toContain('1=1');
    expect(sql).toContain('from facts.chat_agents as c');
  });
});

describe('the catalogue', () => {
  it('names every metric once, with a definition and a unit for every measure', () => {
    const all = catalogue();
    expect(new Set(all.map(({ id }) => id)).size).toBe(metrics.length);
    for (const { definition, measures } of all) {
      expect(definition.length).toBeGreaterThan(20);
      expect(Object.values(measures).every(({ title, unit }) => title !== '' && unit !== '')).toBe(true);
    }
  });
});
