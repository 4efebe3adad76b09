// Targets of an account: their history, setting one from a day on, and which days met them.
import type { Hono } from 'hono';
import { inForceOn } from '#reports/targets/in-force.ts';
import { judgedTargets, type JudgedRange, type TargetJudgement } from '#reports/targets/judge.ts';
import { isSeen, targetsOf } from '#reports/targets/scope.ts';
import { judgedBy } from '#warehouse/definitions/used.ts';
import type { StoredTarget, TargetTerms as Wanted } from '#reports/targets/target.ts';
import { localDate } from '#warehouse/periods.ts';
import { isZone } from '#warehouse/zone.ts';
import type { AskFilters, AskInput as Asked } from '#warehouse/query/ask.ts';
import type { WarehouseAccount, QueryContext } from '#warehouse/query/context.ts';
import type { AnswerCache } from './answers.ts';
import { accountOf, contextOf, nowOf, readerOf } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { judgeTargets, listTargets, removeTarget, saveTarget, type Target } from './contract/targets.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { allOf, assertNamed, daysIn, filtersIn, onlyOne, questionIn } from './question.ts';
import { assertGroup, assertMayChange, assertSeconds, keptBy, tellAudit, whoIn } from './set-targets.ts';
import { bodyOf, queryOf } from './validation.ts';

const asked = Object.keys(judgeTargets.query.shape);

export function addTargets(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  const { targets } = deps.userData;
  const listed = (all: readonly StoredTarget[], one: StoredTarget, { timezone }: WarehouseAccount): Target => {
    const { metric, measure } = judgedBy(one.kind);
    const now = inForceOn(all, one.kind, one.group, localDate(timezone, nowOf(deps)));
    return { ...one, metric, measure, is_in_force: now?.id === one.id };
  };

  app.get(listTargets.path, (c) => {
    const reader = readerOf(c);
    const account = accountOf(deps, reader, queryOf(c, listTargets.query).account);
    const all = targets.list(account.id).filter(({ group }) => isSeen(reader, group));
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listTargets>>({ targets: all.map((one) => listed(all, one, account)) });
  });

  app.put(saveTarget.path, async (c) => {
    const { account: named, ...target } = await bodyOf(c, saveTarget.body);
    const reader = readerOf(c);
    const account = accountOf(deps, reader, named);
    const wanted: Wanted = { ...target, seconds: target.share === null ? null : target.seconds };
    if (wanted.share !== null) assertSeconds(wanted.kind, wanted.seconds);
    await assertGroup(deps, reader, account, wanted.group);
    const saved = keptBy(() => targets.save(whoIn(c), { ...wanted, account: account.id }));
    tellAudit(c, aboutOf(saved));
    return c.json<Target>(listed(targets.list(account.id), saved, account));
  });

  app.delete(routed(removeTarget), (c) => {
    const [id, reader] = [c.req.param('id'), readerOf(c)];
    const account = accountOf(deps, reader, queryOf(c, removeTarget.query).account);
    const found = targets.find(account.id, id);
    if (!found) throw new Declined('not_found', `there is no target ${id}`);
    assertMayChange(reader, found.group);
    targets.remove(account.id, id);
    tellAudit(c, aboutOf(found));
    return c.body(null, 204);
  });

  app.get(judgeTargets.path, async (c) => {
    const question = questionIn(new URL(c.req.url).searchParams);
    assertNamed(question, asked);
    const unopened = await contextOf(deps, c, question);
    const { id, timezone } = unopened.account;
    const range = rangeIn(question, timezone);
    const of = targetsOf(unopened.reader, namesOf(filtersIn(question)));
    // Other groups' targets must not affect the ETag either.
    const all = of === undefined ? [] : targets.list(id).filter(({ group }) => isSeen(unopened.reader, group));
    return answers.answer<AnswerOf<typeof judgeTargets>>(
      c,
      unopened,
      `targets ${JSON.stringify([range, of, all])}`,
      async (context) => ({ judged: of === undefined ? [] : await judgedTargets(all, range, of, context) }),
    );
  });
}

/** The days of a question about a metric. Errors: Refused. */
export function judgedFor(
  { userData }: ApiDeps,
  { from, to, timezone, filters = {} }: Asked,
  context: QueryContext,
): Promise<TargetJudgement[]> {
  const of = targetsOf(context.reader, namesOf(filters));
  if (of === undefined || from === undefined || to === undefined) return Promise.resolve([]);
  const { id, timezone: own } = context.account;
  return judgedTargets(userData.targets.list(id), { from, to, timezone: timezone ?? own }, of, context);
}

const namesOf = ({ group = [], agent = [], tag = [], variable = [] }: AskFilters) => ({
  ...{ group: group.map(Number), agent: agent.map(String), tag: tag.map(String), variable: variable.map(String) },
});

/** Errors: Declined; Refused. */
function rangeIn(question: Parameters<typeof allOf>[0], usual: string): JudgedRange {
  const { from, to } = daysIn(question);
  if (from === undefined || to === undefined)
    throw new Declined('bad_request', 'from and to are needed, as 2026-11-01');
  const timezone = onlyOne(question, 'timezone') ?? usual;
  if (!isZone(timezone))
    throw new Declined('bad_request', `timezone=${timezone} is not an IANA time zone such as Europe/Warsaw or UTC`);
  return { from, to, timezone };
}

/** In the words of the API, so that one can be found in the other. */
const aboutOf = ({ account, kind, group, valid_from, share, seconds }: StoredTarget) => ({
  ...{ account, kind, group: group ?? 'all', valid_from, share: share ?? 'none', seconds },
});
