// The table of agents as a document of one reader: what each number was before, which changes are clear, and the whole team.
import { agentColumns, columnsOf, type AgentColumn } from '#dashboards/agent-columns.ts';
import { agentRows, expectedCells, sortedAgents, teamCell, type AgentRow } from '#dashboards/agents.ts';
import { isUnsettled, lacksPulled, toldFrom, type Answer, type AnswerRow } from '#dashboards/answer.ts';
import { than } from '#dashboards/comparison.ts';
import { expectedColumns } from '#dashboards/expected.ts';
import { clearAgentChanges, isJudged } from '#dashboards/pictures/agent-changes.ts';
import type { TileChange } from '#dashboards/pictures/tile-change.ts';
import { describeOutcome, fairAgents } from '#reports/fair/fair.ts';
import type { AskInput } from '#warehouse/query/ask.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { listOf } from '#warehouse/read/account-lists.ts';
import { agentAnswers, answersTo } from './agents-file.ts';
import { coverOf, type Cover } from './cover.ts';
import { settlingDaysOf } from './digest-questions.ts';
import { namesIn } from './names.ts';
import { rangeOf } from './periods.ts';
import { words } from './words.ts';

export interface PrintedNumber {
  text: string;
  isNumber: boolean;
  /** It may still change. */
  isUnsettled: boolean;
  /** The compared number. */
  before?: string;
  /** Set for a change beyond chance. */
  clear?: Pick<TileChange, 'sign' | 'verdict'>;
}

interface PrintedRow {
  name: string;
  numbers: PrintedNumber[];
}

/** Columns that fit beside each other. */
interface PrintedTable {
  title: string;
  columns: string[];
  rows: PrintedRow[];
  team?: PrintedRow;
}

export interface AgentsDocument {
  from: string;
  to: string;
  title: string;
  language: string;
  /** The moment of the snapshot, ISO. */
  dated: string;
  cover: Cover;
  /** What the numbers are compared with. */
  compared?: string;
  tables: PrintedTable[];
  notes: string[];
}

const language = 'en-GB';
/** More columns of money would not fit on a page. */
const most_columns = 8;

/** `wanted` has the dates, zone, filters and comparison of the page. Errors: Refused, when no column can be answered. */
export async function agentsDocument(wanted: AskInput, context: QueryContext): Promise<AgentsDocument> {
  const { answers, refusals } = await agentAnswers(wanted, context);
  const [first] = answers;
  if (!first) throw Object.values(refusals)[0] ?? new Error('no column was asked');
  const { from, to, timezone } = first;
  const columns = columnsOf(answers);
  const [team, trends, listed, names, fair] = [
    await answersTo(columns, wanted, context, { grain: 'total', isTeam: true }),
    wanted.compare === undefined
      ? []
      : await answersTo(columns.filter(isJudged), wanted, context, { grain: 'day', isTeam: false }),
    await listOf(context, 'agents'),
    await namesIn(context),
    await fairAgents(wanted, context),
  ];
  const agents = listed.map(({ id, name }) => ({ login: String(id), name: String(name ?? '') }));
  const reasons = Object.fromEntries(Object.entries(refusals).map(([metric, { message }]) => [metric, message]));
  const least = context.reader.rows?.agents_from ?? null;
  const rows = sortedAgents(
    columns,
    agentRows(columns, agents, answers, reasons, language, least),
    'name',
    false,
    language,
  );
  const clearOf = clearAgentChanges(answers, trends, language);
  const expected = { outcomes: fair.compared.map(describeOutcome), hidden: fair.hidden };
  const printed = (
    { text, kind, before }: Pick<AgentRow['cells'][number], 'text' | 'kind' | 'before'>,
    row: AnswerRow | undefined,
    clear?: PrintedNumber['clear'],
  ): PrintedNumber => ({
    ...{ text, isNumber: kind === 'number', isUnsettled: kind === 'number' && isUnsettled(row) },
    ...(before === undefined ? {} : { before }),
    ...(clear ? { clear } : {}),
  });
  const numbersIn = (own: readonly AgentColumn[], of: readonly AgentRow[]): PrintedRow[] =>
    of.map(({ login, name, cells }) => ({
      name,
      numbers: own.map((column) =>
        printed(
          cells[columns.indexOf(column)] ?? { text: '', kind: 'no_data' },
          rowIn(answers, column, login),
          clearOf(column, login),
        ),
      ),
    }));
  const ofTeam = (own: readonly AgentColumn[]): PrintedRow => ({
    name: words.agents.team,
    numbers: own.map((column) => printed(teamCell(column, team, language), rowIn(team, column))),
  });
  const soldIn =
    (own: readonly AgentColumn[]) =>
    ({ cells }: AgentRow): boolean =>
      own
        .map((column) => cells[columns.indexOf(column)])
        .some((cell) => cell && (cell.value !== 0 || (cell.before ?? cell.text) !== cell.text));
  const sales = columns.slice(agentColumns.length);
  const tables = [agentColumns, ...inPieces(sales, most_columns)].map((own, place) => ({
    title: place === 0 ? words.agents.numbers : words.agents.sales,
    ...{
      columns: own.map(({ title }) => title),
      rows: numbersIn(own, place === 0 ? rows : rows.filter(soldIn(own))),
      team: ofTeam(own),
    },
  }));
  const verdicts = {
    title: words.agents.expected,
    columns: expectedColumns.map(({ title }) => title),
    rows: rows.map(({ login, name }) => ({
      name,
      numbers: expectedCells(login, expected, language, least).map(({ text, kind }) => ({
        ...{ text, isNumber: kind === 'number', isUnsettled: false },
      })),
    })),
  };
  const compared = than(answers.find(({ compare }) => compare) ?? first, language);
  const fewest = toldFrom(answers) ?? least ?? undefined;
  const all = [...tables.flatMap(({ rows: each, team: line }) => [...each, line])].flatMap(({ numbers }) => numbers);
  return {
    ...{ from, to, title: words.agents.title, language, dated: context.snapshot.published_at },
    cover: coverOf(
      asAsked(wanted, { from, to, timezone }, context),
      { language, length: 'charts' },
      {
        ...{ names, count: new Set(columns.map(({ metric }) => metric)).size, hours: undefined },
        isPulled: !lacksPulled([...answers, ...team]),
      },
    ),
    ...(compared ? { compared: words.agents.compared(compared) } : {}),
    tables: rows.length > 0 ? [...tables, verdicts] : [],
    notes: [
      ...(rows.length === 0 ? [words.agents.nobody] : [words.agents.ofTeam]),
      ...(compared && rows.length > 0 ? [words.agents.clear] : []),
      ...(all.some((it) => it.isUnsettled) ? [words.star] : []),
      ...(fewest === undefined ? [] : [words.agents.toldFrom(fewest)]),
      ...[...new Set(Object.values(reasons))].map(words.nothing),
    ],
  };
}

const inPieces = <One>(all: readonly One[], most: number): One[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most));

const rowIn = (answers: readonly Answer[], { metric, currency }: AgentColumn, login?: string): AnswerRow | undefined =>
  answers
    .find((answer) => answer.metric === metric)
    ?.rows.find(
      (row) =>
        (login === undefined || row['agent'] === login) && (currency === undefined || row['currency'] === currency),
    );

/** The question as the first lines of a document tell it. */
function asAsked(
  { filters = {} }: AskInput,
  { from, to, timezone }: Pick<Answer, 'from' | 'to' | 'timezone'>,
  context: QueryContext,
): Parameters<typeof coverOf>[0] {
  const { group = [], agent = [], tag = [], variable = [] } = filters;
  return {
    context,
    scope: {
      ...{ period: rangeOf(from, to), timezone },
      filters: {
        group: group.map(Number),
        agent: agent.map(String),
        tag: tag.map(String),
        variable: variable.map(String),
      },
    },
    settlingDays: settlingDaysOf(context),
  };
}
