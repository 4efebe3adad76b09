// Loads which days of the last four weeks met each group's targets, and the progress of goals for periods.
import { call } from '#lib/api.ts';
import { addressPart } from '#lib/address-part.ts';
import { filtersAt } from '#lib/page-filters.ts';
import { targetWords } from './words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, parent, url }) => {
  const frame = await parent();
  const { account, targets } = frame;
  const own = addressPart(url, (name) => name === 'account');
  const asked = addressPart(url, (name) => name !== 'account');
  own.searchParams.set('preset', '28d');
  const { today: day, from, to, problems } = filtersAt(own, frame);
  const isUnknown = filtersAt(asked, frame).problems.length > 0;
  const written = [...asked.searchParams].map((pair) => pair.join('='));
  const notices = isUnknown ? [...problems, targetWords.unread(written.join(', '))] : problems;
  if (!account) return { day, notices, judged: [], judgedProblem: undefined, goals: [], problem: undefined };
  const { id } = account;
  const groups = [...new Set(targets.map(({ group }) => group))];
  const judgedOf = async (group: number | null) => {
    const query = { account: id, from, to, ...(group === null ? {} : { group: String(group) }) };
    const found = await call(fetch, 'GET /targets/days', { query });
    return found.kind === 'answered' ? { judged: found.answer.judged } : { judged: [], problem: found.message };
  };
  const [found, goals] = await Promise.all([
    Promise.all(groups.map(judgedOf)),
    call(fetch, 'GET /period-goals', { query: { account: id } }),
  ]);
  return {
    day,
    notices,
    judged: found.flatMap(({ judged }) => judged),
    judgedProblem: found.find(({ problem }) => problem !== undefined)?.problem,
    goals: goals.kind === 'answered' ? goals.answer.goals : [],
    problem: goals.kind === 'answered' ? undefined : goals.message,
  };
};
