// The plan of a statement: operators in the field's words, as the engine explains it, and nothing of a file's name.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { explaining, planIn, type PlanOperator } from '#lib/sql/plan.ts';
import { ask } from '#warehouse/engines/console.ts';
import { ConsoleError } from '#warehouse/engines/console-error.ts';
import { openWarehouse } from '#warehouse/store/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'sql-plan-'));
const file = join(folder, '20261126-132006-000.duckdb');
beforeAll(async () => {
  const engine = await openWarehouse(file);
  // Of one value the engine knows the answer, and of no row too.
  const rows = [0, 1, 2].map((group) => `('default', 'tag ${group}', ${group}, '', now(), 0, 0, now())`);
  await engine.exec(
    `insert into account.tags (account, name, group_id, author, created_at, in_chats, in_tickets, pulled_at) values ${rows.join(', ')}`,
  );
  await engine.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const planOf = async (statement: string, parameters = {}): Promise<PlanOperator | undefined> =>
  planIn((await ask(file, explaining(statement), { rows: 10 }, parameters)).rows);
const named = (plan: PlanOperator | undefined): unknown => plan && [plan.name, ...plan.inputs.map(named)];
const last = (plan: PlanOperator): PlanOperator => (plan.inputs[0] ? last(plan.inputs[0]) : plan);

describe('the engine explains', () => {
  it('a statement with parameters, whose table has no name of a file', async () => {
    expect(JSON.stringify(await planOf('from account.tags order by account.tags.name limit 2'))).not.toContain(
      '20261126',
    );
    const plan = await planOf('-- mine\nselect count(*) from account.tags where group_id = $group', { group: 1 });
    expect(plan?.name).toBe('Aggregate');
    const scan = last(plan as PlanOperator);
    expect(scan.name).toBe('Sequential scan');
    expect(scan.rows).toBeTypeOf('number');
    expect(scan.about).toContainEqual({ title: 'Table', text: 'account.tags' });
    expect(scan.about).toContainEqual({ title: 'Filters', text: 'group_id=1' });
    expect(scan.about.map(({ title }) => title)).not.toContain('Estimated Cardinality');
  });

  it('a join with both of its inputs', async () => {
    const plan = await planOf('select a.name from account.tags as a join account.agents as b on a.author = b.login');
    expect(JSON.stringify(named(plan))).toContain('"Hash join",["Sequential scan"],["Sequential scan"]');
  });

  it.each(['explain select 1', 'EXPLAIN ANALYZE select 1', '-- x\n/* y */ explain (format json) select 1', 'select 1'])(
    '%j, whether or not it explains already',
    async (statement) => {
      expect(named(await planOf(statement))).toEqual(['Projection', ['One row']]);
    },
  );

  it('errors one line further down, at the column where they are', async () => {
    const place = async (statement: string): Promise<unknown> =>
      planOf(statement).catch((error: unknown) => (error instanceof ConsoleError ? error.place : error));
    expect(await place('select nothing\nfrom account.tags')).toEqual({ line: 2, column: 8 });
    expect(await place('explain select nothing from account.tags')).toEqual({ line: 2, column: 16 });
  });
});

it.each([[[]], [[['physical_plan', 'no json']]], [[['physical_plan', '[]']]], [[['explain_value', '[{"name":"X"}]']]]])(
  'of %j there is no plan',
  (rows) => {
    expect(planIn(rows)).toBeUndefined();
  },
);

it('operators that have no other name are called as the engine does', () => {
  const text = JSON.stringify([{ name: 'NESTED_LOOP_JOIN ', children: [{ name: 'PIECEWISE_MERGE_JOIN' }, 1] }]);
  expect(named(planIn([['physical_plan', text]]))).toEqual(['Nested loop join', ['Piecewise merge join']]);
});
