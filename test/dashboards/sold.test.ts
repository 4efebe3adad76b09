// A currency in which nothing was sold before: tables, tiles and files say zero alike, and none says it of days that nobody pulled.
import { expect, test } from 'vitest';
import { columnsOf } from '#dashboards/agent-columns.ts';
import { accountColumnsOf, accountRows } from '#dashboards/accounts.ts';
import { agentRows, teamCell } from '#dashboards/agents.ts';
import type { Answer, State } from '#dashboards/answer.ts';
import { tile } from '#dashboards/pictures/tile.ts';
import { sheetsOf } from '#digests/tables/sheets.ts';
import { answer, panel, setting } from './answers.ts';

const sales = panel({
  ...{ title: 'Sales', unit: 'money', metric: 'goals', split: ['currency'] },
  measures: [{ measure: 'value', label: 'sales' }],
});
const sold = (currency: string, state: State = 'complete') => ({
  ...{ currency, agent: 'ann', account: 'eu', value: state === 'complete' ? 20 : null, sales_count: 1, state },
});

/** What of yen each says of the days before: tile, key figures, a panel's table by day, agents, their team, accounts. */
function saidOfYen(before: Pick<Answer, 'rows' | 'state'>) {
  const compare = { from: '2026-10-27', to: '2026-10-31', ...before };
  const asked = (more: Partial<Answer>, own: object = {}) =>
    answer(
      [sold('EUR'), sold('JPY')].map((row) => ({ ...row, ...own })),
      { metric: 'goals', grain: 'total', split: ['currency'], compare, ...more },
    );
  const total = asked({});
  const byDay = asked(
    { grain: 'day', compare: { ...compare, rows: before.rows.map((row) => ({ ...row, period: '2026-10-27' })) } },
    { period: '2026-11-01' },
  );
  const key = {
    ...{ title: 'Sales', sentence: '', figures: [], panel: { ...sales, picture: 'tile' as const } },
    answer: total,
  };
  const shown = { panel: sales, dashboard: 'goals', answers: [byDay] };
  const sheets = sheetsOf({
    ...{ dated: '', cover: { label: 'now' }, names: {}, targets: [], keyFigures: [key] },
    sections: [{ title: '', sentence: '', keyFigures: [], panels: [shown] }],
  });
  // The state is the last column, and what is compared stands before it.
  const inSheets = sheets.map(({ rows }) => rows.find((row) => row.includes('JPY'))?.at(-2));
  const columns = columnsOf([asked({ split: ['agent', 'currency'] })]);
  const agents = agentRows(columns, [], [asked({ split: ['agent', 'currency'] })], {}, 'en-GB');
  const accounts = [asked({ split: ['account', 'currency'] })];
  return {
    tile: tile(key.panel, [total], setting).figures[1]?.change?.text ?? tile(key.panel, [total], setting).note,
    ...{ keyFigure: inSheets[0], table: inSheets[1] },
    agent: agents[0]?.cells.at(-1)?.before,
    team: teamCell(columns.at(-1) ?? columns[0]!, [total], 'en-GB').before,
    account: accountRows(accountColumnsOf(accounts), ['eu'], accounts, {}, 'en-GB').rows[0]?.cells.at(-1)?.before,
  };
}

test('zero where others were sold, or where the days are known and nothing was', () => {
  const nothing = 'nothing before to compare with';
  const zero = { tile: nothing, keyFigure: 0, table: 0, agent: '0', team: '0', account: '0' };
  expect(saidOfYen({ rows: [sold('EUR')] })).toEqual(zero);
  expect(saidOfYen({ rows: [], state: 'complete' })).toEqual(zero);
});

test('nothing where nobody knows', () => {
  const unknown = { keyFigure: null, table: null, agent: undefined, team: undefined };
  expect(saidOfYen({ rows: [sold('EUR', 'not_pulled')] })).toMatchObject(unknown);
  expect(saidOfYen({ rows: [], state: 'not_pulled' })).toMatchObject({
    ...unknown,
    tile: 'too few days before to compare with',
    account: undefined,
  });
  expect(saidOfYen({ rows: [] })).toMatchObject({ ...unknown, account: undefined });
});
