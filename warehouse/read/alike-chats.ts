// Chats in cells that share every circumstance outside their agents' control, and the same chats by day: the input for comparing agents. A
// chat with several agents counts in full for each of them.
import { hasOutcomes, keptOutcomes, sweptOutcomes } from '../query/agent-outcomes.ts';
import type { Ask } from '../query/ask.ts';
import { parameters } from '../query/bind.ts';
import { lackingIn } from '../query/bridges.ts';
import type { Engine, Numbers } from '../engine.ts';
import { recentlyMade } from '../memoize.ts';
import type { QueryContext } from '../query/context.ts';
import { quarters } from '../query/time-buckets.ts';
import { TimeSlice } from '../time-slice.ts';
import { countedAlike, type AlikeChats, type AlikeDays } from './alike-cells.ts';
import { loadOf, type QuarterTimes } from './rows-by-agent.ts';
import { selected } from './search.ts';

/** Cells of similar chats, and the same chats by agent and local day. */
interface CountedAlike {
  /** Sorted logins. */
  agents: string[];
  cells: AlikeChats;
  days: AlikeDays;
}

/** Errors: Cancelled. */
export async function alikeChats(ask: Ask, { snapshot: { engine } }: QueryContext): Promise<CountedAlike> {
  const bind = parameters(engine.dialect);
  const statements = await statementsOf(ask, engine, bind);
  const found = await engine.queryNumbers(statements.rows, bind.params);
  // Which chats are asked for changes neither: pages with other filters share them.
  const times = await recentlyMade(engine, { kind: 'times', key: statements.times, bytesOf: bytesOfTimes }, async () =>
    timesIn(await engine.queryNumbers(statements.times), quarters(ask)),
  );
  const logins = await recentlyMade(engine, { kind: 'numbered agents', key: statements.agents }, () =>
    numberedIn(engine, statements.agents),
  );
  const { agents, placeOf } = agentsIn(columnIn(found, 'agent'), logins);
  const rows = {
    ...{ quarter: columnIn(found, 'started_quarter'), agent: placeOf, situation: columnIn(found, 'situation') },
    ...{ firstGroup: columnIn(found, 'first_group'), lastGroup: columnIn(found, 'last_group') },
    ...{ first: columnIn(found, 'first_response'), response: columnIn(found, 'response') },
  };
  return { agents, ...(await countedAlike(rows, times, agents.length, new TimeSlice())) };
}

/** What the file keeps is about all chats that the reader may see. */
async function statementsOf(ask: Ask, engine: Engine, bind: ReturnType<typeof parameters>) {
  const isFiltered = Object.values(ask.filters).some((values) => values !== undefined);
  if (!isFiltered && (await hasOutcomes(engine))) return keptOutcomes(ask, bind);
  if (!isFiltered && !(await lackingIn(engine)).has('chat_agents.rate')) return sweptOutcomes(ask, bind, undefined);
  const { from, where } = selected({ ask, rates: [] }, bind);
  return sweptOutcomes(ask, bind, `${from}\n  where ${where.join(' and ')}`);
}

type Numbered = readonly (readonly [number: number, agent: string])[];

async function numberedIn(engine: Engine, sql: string): Promise<Numbered> {
  const rows = await engine.query(sql);
  return rows.map((row) => [Number(row.number), String(row.agent)]);
}

const bytesOfTimes = ({ day, hourOfWeek, load }: QuarterTimes): number =>
  [day, hourOfWeek, load].reduce((bytes, { length }) => bytes + length * Int32Array.BYTES_PER_ELEMENT, 0);

/** The logins that occur, sorted, and for each row the place of its agent among them. */
function agentsIn(numbers: Numbers, logins: Numbered): { agents: string[]; placeOf: Int32Array } {
  const most = logins.reduce((most, [number]) => Math.max(most, number), 0);
  const occurs = new Uint8Array(most + 1);
  for (let row = 0; row < numbers.length; row += 1) occurs[numbers[row] ?? 0] = 1;
  const agents = logins.filter(([number]) => occurs[number] === 1).sort(([, one], [, other]) => (one < other ? -1 : 1));
  const places = new Int32Array(most + 1);
  for (const [place, [number]] of agents.entries()) places[number] = place;
  const placeOf = new Int32Array(numbers.length);
  for (let row = 0; row < numbers.length; row += 1) placeOf[row] = places[numbers[row] ?? 0] ?? 0;
  return { agents: agents.map(([, agent]) => agent), placeOf };
}

function timesIn(
  found: Readonly<Record<string, Numbers>>,
  { first, last }: { first: number; last: number },
): QuarterTimes {
  const column = (): Int32Array => new Int32Array(last - first);
  const times = { first, day: column(), hourOfWeek: column(), load: column() };
  const [days, hours, open] = [columnIn(found, 'day'), columnIn(found, 'hour_of_week'), columnIn(found, 'open_chats')];
  const quarter = columnIn(found, 'quarter');
  for (let row = 0; row < quarter.length; row += 1) {
    const at = (quarter[row] ?? 0) - first;
    times.day[at] = (days[row] ?? 0) - 1;
    times.hourOfWeek[at] = hours[row] ?? 0;
    times.load[at] = loadOf(open[row] ?? 0);
  }
  return times;
}

function columnIn(found: Readonly<Record<string, Numbers>>, name: string): Numbers {
  const column = found[name];
  if (!column) throw new Error(`there is no column ${name}`);
  return column;
}
