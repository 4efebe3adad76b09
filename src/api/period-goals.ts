// Goals of an account for periods: setting them, and their progress.
import type { Hono } from 'hono';
import { reachedOf, standingOf } from '#reports/period-goals/standing.ts';
import type { StoredGoal } from '#reports/period-goals/goal.ts';
import { isSeen } from '#reports/targets/scope.ts';
import { judgedBy } from '#warehouse/definitions/used.ts';
import { dayNumber } from '#warehouse/periods.ts';
import type { AnswerCache } from './answers.ts';
import { accountOf, contextOf, readerOf } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { listPeriodGoals, removePeriodGoal, savePeriodGoal } from './contract/period-goals.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { questionIn, assertNamed } from './question.ts';
import { assertGroup, assertMayChange, assertSeconds, keptBy, tellAudit, whoIn } from './set-targets.ts';
import { bodyOf, queryOf } from './validation.ts';

const longest_days = 400;

export function addPeriodGoals(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  const { periodGoals } = deps.userData;

  app.get(listPeriodGoals.path, async (c) => {
    const question = questionIn(new URL(c.req.url).searchParams);
    assertNamed(question, Object.keys(listPeriodGoals.query.shape));
    const unopened = await contextOf(deps, c, question);
    const goals = periodGoals.list(unopened.account.id).filter(({ group }) => isSeen(unopened.reader, group));
    return answers.answer<AnswerOf<typeof listPeriodGoals>>(
      c,
      unopened,
      `period goals ${JSON.stringify(goals)}`,
      async (context) => ({
        goals: await Promise.all(
          goals.map(async (goal) => {
            const { metric, measure } = reachedOf(goal.kind);
            return { ...goal, metric, measure, is_most: isMost(goal), pace: await standingOf(goal, context) };
          }),
        ),
      }),
    );
  });

  app.put(savePeriodGoal.path, async (c) => {
    const { account: named, ...goal } = await bodyOf(c, savePeriodGoal.body);
    const reader = readerOf(c);
    const account = accountOf(deps, reader, named);
    assertSeconds(goal.kind, goal.seconds);
    assertPossible(goal);
    await assertGroup(deps, reader, account, goal.group);
    const before = goal.id === undefined ? undefined : periodGoals.find(account.id, goal.id);
    if (before) assertMayChange(reader, before.group);
    const saved = keptBy(() => periodGoals.save(whoIn(c), { ...goal, account: account.id }));
    if (!saved) throw new Declined('not_found', `there is no goal ${goal.id ?? ''}`);
    tellAudit(c, aboutOf(saved));
    return c.json<AnswerOf<typeof savePeriodGoal>>({ id: saved.id });
  });

  app.delete(routed(removePeriodGoal), (c) => {
    const [id, reader] = [c.req.param('id'), readerOf(c)];
    const account = accountOf(deps, reader, queryOf(c, removePeriodGoal.query).account);
    const found = periodGoals.find(account.id, id);
    if (!found) throw new Declined('not_found', `there is no goal ${id}`);
    assertMayChange(reader, found.group);
    periodGoals.remove(account.id, id);
    tellAudit(c, aboutOf(found));
    return c.body(null, 204);
  });
}

const isMost = ({ kind }: Pick<StoredGoal, 'kind'>): boolean => kind !== 'chats' && judgedBy(kind).isMost === true;

/** Errors: Declined. */
function assertPossible({ kind, amount, from, to }: Pick<StoredGoal, 'kind' | 'amount' | 'from' | 'to'>): void {
  if (from > to) throw new Declined('bad_request', `from: ${from} is after to, ${to}`);
  if (dayNumber(to) - dayNumber(from) >= longest_days)
    throw new Declined('bad_request', `to: a period has at most ${longest_days} days`);
  if (kind === 'chats' && (amount < 1 || !Number.isInteger(amount)))
    throw new Declined('bad_request', 'amount: must be a whole number of chats from 1 on');
  if (kind !== 'chats' && amount > 1)
    throw new Declined('bad_request', 'amount: must be a share from 0 to 1, such as 0.9 for 90%');
}

const aboutOf = ({ account, kind, group, from, to, amount, seconds }: StoredGoal) => ({
  ...{ account, kind, group: group ?? 'all', from, to, amount, seconds },
});
