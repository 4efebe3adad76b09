// The table of agents as a file of numbers: one row per agent and one of the whole team, every column followed by its compared value.
import { agentQuestions, columnsOf, type AgentColumn } from '#dashboards/agent-columns.ts';
import { agentRows, teamCell, type AgentRow } from '#dashboards/agents.ts';
import type { Answer } from '#dashboards/answer.ts';
import { comparedDays } from '#dashboards/comparison.ts';
import { expectedWords } from '#dashboards/expected.ts';
import { fairAgents, describeOutcome } from '#reports/fair/fair.ts';
import { Refused } from '#warehouse/errors.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { run } from '#warehouse/query/run.ts';
import { listOf } from '#warehouse/read/account-lists.ts';
import { plainText } from './plain-text.ts';
import type { SheetValue } from './tables/cells.ts';
import { sheetFormats, type SheetColumn } from './tables/number-formats.ts';
import { words } from './words.ts';

export interface AgentsTable {
  from: string;
  to: string;
  columns: SheetColumn[];
  rows: SheetValue[][];
}

/** `wanted` has the dates, zone, filters and comparison of the page. Errors: Refused, when no column can be answered. */
export async function agentsTable(wanted: AskInput, context: QueryContext): Promise<AgentsTable> {
  const { answers, refusals } = await agentAnswers(wanted, context);
  const [first] = answers;
  if (!first) throw Object.values(refusals)[0] ?? new Error('no column was asked');
  const listed = await listOf(context, 'agents');
  const agents = listed.map(({ id, name }) => ({ login: String(id), name: String(name ?? '') }));
  const reasons = Object.fromEntries(Object.entries(refusals).map(([metric, { message }]) => [metric, message]));
  const least = context.reader.rows?.agents_from ?? null;
  const shown = columnsOf(answers);
  const rowsOf = (of: readonly Answer[]): AgentRow[] => agentRows(shown, agents, [...of], reasons, 'en-GB', least);
  const hasBefore = wanted.compare !== undefined;
  const before = new Map(
    rowsOf(
      answers.map((answer) => ({ ...answer, rows: answer.compare?.rows ?? [], state: answer.compare?.state })),
    ).map((row) => [row.login, row]),
  );
  const columns = shown.flatMap(({ title, unit }): SheetColumn[] => {
    const head = ['seconds', 'hours'].includes(unit) ? `${title} (${unit})` : title;
    const format = sheetFormats[unit];
    return [{ title: head, format }, ...(hasBefore ? [{ title: `${head}, ${comparedDays(answers)}`, format }] : [])];
  });
  const rows = rowsOf(answers).map((row): SheetValue[] => [
    plainText(row.name),
    row.login,
    ...row.cells.flatMap(({ value }, place): SheetValue[] => [
      value,
      ...(hasBefore ? [before.get(row.login)?.cells[place]?.value ?? null] : []),
    ]),
  ]);
  const expected = await expectedColumns(wanted, context);
  const team = await answersTo(shown, wanted, context, { grain: 'total', isTeam: true });
  const teamBefore = team.map((answer) => ({
    ...answer,
    rows: answer.compare?.rows ?? [],
    state: answer.compare?.state,
  }));
  const ofTeam: SheetValue[] = [
    words.agents.team,
    null,
    ...shown.flatMap((column): SheetValue[] => [
      teamCell(column, team, 'en-GB').value,
      ...(hasBefore ? [teamCell(column, teamBefore, 'en-GB').value] : []),
    ]),
    ...expected.columns.map(() => null),
  ];
  const byName = new Intl.Collator('en').compare;
  return {
    ...{ from: first.from, to: first.to },
    columns: [
      { title: 'Agent', format: 'general' },
      { title: 'Login', format: 'general' },
      ...columns,
      ...expected.columns,
    ],
    rows: [
      ...rows
        .map((row) => [...row, ...expected.cellsOf(String(row[1]))])
        .sort((one, other) => byName(String(one[0]), String(other[0])) || byName(String(one[1]), String(other[1]))),
      ...(rows.length > 0 ? [ofTeam] : []),
    ],
  };
}

/** The expectation for each agent, the likely range of their own level, and the verdict in words. */
async function expectedColumns(
  wanted: AskInput,
  context: QueryContext,
): Promise<{ columns: SheetColumn[]; cellsOf: (login: string) => SheetValue[] }> {
  const outcomes = (await fairAgents(wanted, context)).compared.map(describeOutcome);
  return {
    columns: outcomes.flatMap(({ id, unit }): SheetColumn[] => {
      const title = expectedWords.names[id];
      const of = unit === 'seconds' ? ' (geometric mean, seconds)' : '';
      const format = sheetFormats[unit];
      return [
        ...['observed', 'expected', '95% confidence from', '95% confidence to'].map((part) => ({
          title: `${title}, ${part}${of}`,
          format,
        })),
        { title: `${title}, compared with expected`, format: 'general' },
      ];
    }),
    cellsOf: (login) =>
      outcomes.flatMap(({ agents }): SheetValue[] => {
        const it = agents.find(({ agent }) => agent === login);
        if (!it) return [null, null, null, null, null];
        const { low = null, high = null } = it.likely ?? {};
        return [it.observed, it.expected, low, high, expectedWords.verdicts[it.verdict]];
      }),
  };
}

/** The answers to the columns, and why some have none. */
export async function agentAnswers(wanted: AskInput, context: QueryContext) {
  const answers: Answer[] = [];
  const refusals: Record<string, Refused> = {};
  for (const { metric, split, grain } of agentQuestions()) {
    if (grain !== 'total') continue;
    try {
      answers.push((await run(metric, { ...wanted, grain, split }, context)) as unknown as Answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refusals[metric] = error;
    }
  }
  return { answers, refusals };
}

/** The metrics of the columns, of the whole team or by agent; a metric that cannot be asked so has no answer. */
export async function answersTo(
  columns: readonly AgentColumn[],
  wanted: AskInput,
  context: QueryContext,
  { grain, isTeam }: { grain: 'total' | 'day'; isTeam: boolean },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [metric, [column]] of Map.groupBy(columns, (it) => it.metric)) {
    const split = [...(isTeam ? [] : ['agent']), ...(column?.currency === undefined ? [] : ['currency'])];
    try {
      answers.push((await run(metric, { ...wanted, grain, split }, context)) as unknown as Answer);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
    }
  }
  return answers;
}
