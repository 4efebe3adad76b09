// The variables that a file has declared, and whether a question names others.
import type { Ask } from './ask.ts';
import type { Engine } from '../engine.ts';
import { Refused } from '../errors.ts';
import { memoized } from '../memoize.ts';
import { chosenValues, type VariableDefinition, type VariableSource } from '../variables.ts';
import { columnsIn } from './file-columns.ts';

const declaredTable = 'account.variables';

/** False in a file that was published before there were any. */
export const canDeclare = async (engine: Engine): Promise<boolean> =>
  !engine.isFrozen || (await columnsIn(engine)).has(declaredTable);

/** In the order in which they were declared. */
export function declaredIn(engine: Engine, account: string): Promise<VariableDefinition[]> {
  return memoized(engine, `variables ${account}`, async () => {
    if (!(await canDeclare(engine))) return [];
    const rows = await engine.query(
      `select variable_id, title, source, name\nfrom ${declaredTable}\n` +
        `where account = ${engine.dialect.literal(account, 'text')}\norder by position`,
    );
    return rows.map(({ variable_id, title, source, name }) => ({
      ...{ id: String(variable_id), title: String(title) },
      ...{ source: String(source) as VariableSource, name: String(name) },
    }));
  });
}

/** Errors: Refused, where a question names a variable that the file has not declared. */
export async function assertDeclared(engine: Engine, { account, variable, filters }: Ask): Promise<void> {
  const named = [
    ...(variable === undefined ? [] : [variable]),
    ...chosenValues((filters.variable ?? []).map(String)).keys(),
  ];
  if (named.length === 0) return;
  const ids = (await declaredIn(engine, account)).map(({ id }) => id);
  const unknown = named.find((id) => !ids.includes(id));
  if (unknown === undefined) return;
  const there = ids.length > 0 ? `only ${ids.join(', ')}` : 'none are';
  throw new Refused(
    'variable',
    `the variable ${unknown} is not declared in this snapshot, ${there}: declare it on the page Variables; it counts from the next snapshot on`,
    ids,
  );
}
