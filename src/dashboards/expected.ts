// Agents compared with their expectation: words for each verdict, and the columns in the table of agents.
import type { Cell } from './cell.ts';
import { say } from './numbers.ts';

type ExpectedVerdict = 'above' | 'below' | 'not_told_apart' | 'few_expected';

/** One agent in one outcome, as the API answers. */
export interface AgentExpected {
  agent: string;
  verdict: ExpectedVerdict;
  count: number;
  observed: number;
  expected: number;
  likely: { low: number; high: number } | null;
  distance: number;
  weight: number;
}

export interface OutcomeExpected {
  id: 'satisfaction' | 'response_rate' | 'first_response' | 'response';
  metric: string;
  measure: string;
  unit: 'share' | 'seconds';
  limits: { inner: number; outer: number; verdict: number };
  one: number;
  dispersion: number;
  agents: AgentExpected[];
}

export interface AgentsExpected {
  outcomes: OutcomeExpected[];
  hidden: { agent: string; why: 'too_few' | 'withheld' }[];
}

export const expectedWords = {
  title: 'Compared with what was expected',
  sentence:
    'Each agent beside the average colleague in the same chats: by group, hour of the week, wait, load and returning visitors.',
  choice: 'What is compared',
  verdicts: {
    above: 'above',
    below: 'below',
    not_told_apart: 'cannot be told apart',
    few_expected: 'too few to say',
  } satisfies Record<ExpectedVerdict, string>,
  names: {
    satisfaction: 'CSAT',
    response_rate: 'Share rated',
    first_response: 'First response',
    response: 'Response',
  } satisfies Record<OutcomeExpected['id'], string>,
  columns: {
    satisfaction: 'CSAT vs expected',
    first_response: 'First response vs expected',
    response: 'Response vs expected',
  },
  counts: { satisfaction: 'ratings', response_rate: 'chats', first_response: 'first responses', response: 'chats' },
  slower: 'above (slower)',
  faster: 'below (faster)',
  told: (observed: string, expected: string, count: string) => `${observed}, expected ${expected}; ${count}`,
  likely: (low: string, high: string) => `${low} to ${high} in these chats (95% confidence)`,
  rated: (points: string) => `share rated ${points} from what was expected`,
  heads: ['Agent', 'Verdict', 'Observed', 'Expected', '95% confidence', 'Share rated, observed − expected'],
  axis: { share: 'observed − expected, points', seconds: 'observed relative to expected' },
  across: (counts: string) => `effective number of ${counts}`,
  key: {
    named: 'above or below',
    apart: 'cannot be told apart',
    outer: '95% and 99.8%',
    verdict: 'named beyond',
  },
  few: {
    share: 'Agents with fewer than five good or five bad ratings expected are not judged.',
    seconds: 'Agents with fewer than 20 measured times are not judged.',
  },
  average: 'Times are geometric means: half as long and twice as long weigh the same.',
  named: (above: string, below: string) => `${above} above, ${below} below what was expected.`,
  nobody: 'Nobody can be told apart from what was expected.',
  none: 'Nothing can be compared in this range: it takes two agents with chats.',
  accounted: 'What was taken into account',
  why: [
    'Expected is what the average colleague would have had in the same chats, by group, part of the day, hour, weekday, hour of the week, wait in the queue, chats open at the start, and whether the visitor had a chat in the 30 days before. A ridge regression over the chats of everybody else weighs these; the agent’s own have no say.',
    'What an agent decides does not count: no own speed, no tags.',
    'A chat of several agents counts in full for each, as in the CSAT column; a first response for its sender, response times for whoever closed the turns.',
    'Those who rate are not all who chat: the share rated is shown beside it.',
    'Good and bad days of an agent are allowed for as far as they exceed chance.',
    'Agents are called above or below only where chance would name anybody in at most one of 200 teams of equal agents, and at 99.8% at least. The others cannot be told apart; nobody is ranked.',
  ],
  swing: (times: string) => `Here the days of one agent differ ${times} times as much as by chance.`,
  source: 'Spiegelhalter, Statistics in Medicine 24 (2005), 1185–1202',
  skipped: 'still being worked out',
};

/** The columns of the table of agents, by outcome. */
export const expectedColumns = (['satisfaction', 'first_response', 'response'] as const).map((id) => ({
  id: `${id.replace('_', '-')}-expected`,
  outcome: id,
  title: expectedWords.columns[id],
  sentence: `${expectedWords.sentence} Nobody is ranked.`,
}));

/** In words; of seconds, above is slower. */
export function verdictOf({ verdict }: Pick<AgentExpected, 'verdict'>, unit: OutcomeExpected['unit']): string {
  if (unit === 'seconds' && verdict === 'above') return expectedWords.slower;
  if (unit === 'seconds' && verdict === 'below') return expectedWords.faster;
  return expectedWords.verdicts[verdict];
}

/** The numbers behind a verdict, in one sentence. */
export function numbersOf(
  { observed, expected, count, likely }: AgentExpected,
  of: OutcomeExpected,
  locale: string,
): string {
  const { unit } = of;
  const number = (value: number): string => say(value, unit, locale);
  const told = expectedWords.told(
    number(observed),
    number(expected),
    `${say(count, 'count', locale)} ${expectedWords.counts[of.id]}`,
  );
  return likely ? `${told}; ${expectedWords.likely(number(likely.low), number(likely.high))}` : told;
}

/** The receipt of the observed number. */
export const observedCell = ({ metric, measure }: OutcomeExpected, agent: string): Cell => ({
  ...{ metric, measure, grain: 'total', at: { agent } },
});

export const isNamed = ({ verdict }: Pick<AgentExpected, 'verdict'>): boolean =>
  verdict === 'above' || verdict === 'below';
