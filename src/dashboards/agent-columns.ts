// Columns of the table of agents, and the questions that answer them.
import type { Answer } from './answer.ts';
import type { Unit } from './panel.ts';
import type { Question } from './questions.ts';

export interface AgentColumn {
  id: string;
  title: string;
  /** What the number means. */
  sentence: string;
  metric: string;
  measure: string;
  unit: Unit;
  /** Currency of a sales column; each currency has its own column. */
  currency?: string;
}

/** Columns of every account; sales columns depend on the currencies sold in (`columnsOf`). */
export const agentColumns: AgentColumn[] = [
  {
    id: 'chats',
    title: 'Chats',
    sentence: 'Chats in which the agent took part.',
    metric: 'chat_ratings',
    measure: 'chats',
    unit: 'count',
  },
  {
    id: 'csat',
    title: 'CSAT',
    sentence: 'Good ratings as a share of all ratings of those chats.',
    metric: 'chat_ratings',
    measure: 'csat',
    unit: 'share',
  },
  {
    id: 'score',
    title: 'Vendor’s score',
    sentence:
      'The score of the account’s own ranking: it rises with good ratings and their number, and knows nothing of the chats.',
    metric: 'chat_ranking',
    measure: 'score',
    unit: 'score',
  },
  {
    id: 'rated',
    title: 'Ratings',
    sentence: 'Rated chats: how much the CSAT rests on.',
    metric: 'chat_ratings',
    measure: 'rated',
    unit: 'count',
  },
  {
    id: 'first',
    title: 'First response',
    sentence: 'Half of the first responses that the agent sent came within this time.',
    metric: 'first_response_time',
    measure: 'p50',
    unit: 'seconds',
  },
  {
    id: 'response',
    title: 'Response',
    sentence: 'In half of the chats the agent answered within this time on average.',
    metric: 'response_time',
    measure: 'p50',
    unit: 'seconds',
  },
  {
    id: 'chatting',
    title: 'Chatting',
    sentence: 'Hours with at least one chat open.',
    metric: 'chatting_time',
    measure: 'hours',
    unit: 'hours',
  },
  {
    id: 'available',
    title: 'Available',
    sentence: 'Hours in which the agent was accepting chats, as the account reports them.',
    metric: 'availability',
    measure: 'hours',
    unit: 'hours',
  },
  {
    id: 'occupancy',
    title: 'Occupancy',
    sentence: 'Hours with at least one chat as a share of the hours of accepting chats.',
    metric: 'occupancy',
    measure: 'occupancy',
    unit: 'share',
  },
  {
    id: 'at-once',
    title: 'Concurrent chats',
    sentence: 'The most chats that the agent had open at the same moment.',
    metric: 'concurrent_chats',
    measure: 'most',
    unit: 'count',
  },
];

/** The metric of the trend. */
export const trend_metric = 'total_chats';
const sales_metric = 'goals';

/** One question for each metric of the columns, one for sales by currency, and one for the trend of chats. */
export function agentQuestions(): Question[] {
  const ask = (metric: string, grain: 'total' | 'asked', split = ['agent']): Question => ({
    ...{ metric, split, grain, compare: grain === 'total' },
  });
  return [...new Set(agentColumns.map(({ metric }) => metric))]
    .map((it) => ask(it, 'total'))
    .concat(ask(sales_metric, 'total', ['agent', 'currency']), ask(trend_metric, 'asked'));
}

/** Chats of all agents in these answers; a chat counts once for each of its agents. */
export const chatsOf = (answers: readonly Answer[]): number =>
  (answers.find(({ metric }) => metric === 'chat_ratings')?.rows ?? []).reduce(
    (sum, row) => sum + (Number(row['chats']) || 0),
    0,
  );

/** The columns of these answers: those of every account, and the sales in each currency in which agents sold. */
export function columnsOf(answers: readonly Answer[]): AgentColumn[] {
  const rows = answers.find(({ metric }) => metric === sales_metric)?.rows ?? [];
  const currencies = new Set(rows.map((row) => String(row['currency'] ?? '')).filter(Boolean));
  const sales = [...currencies].sort().map((currency) => ({
    id: `sales-${currency}`,
    title: `Sales (${currency})`,
    sentence: `Tracked sales in ${currency} of chats in which the agent took part.`,
    ...{ metric: sales_metric, measure: 'value', unit: 'money' as const, currency },
  }));
  return [...agentColumns, ...sales];
}
