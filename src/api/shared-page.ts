// Serves a shared link: its page and the answers of its panels. Questions are built here; a request only names a panel.
import type { Context, Hono } from 'hono';
import type { OpenedShare } from '#auth/caller.ts';
import { placeId } from '#dashboards/boards.ts';
import { splitByVariable, valuesOf } from '#dashboards/variables.ts';
import { targetOf } from '#dashboards/targets.ts';
import { storedView, type SharedView } from '#sharing/shared-view.ts';
import { needsAgents, sharedQuestionsAt, wantedBy, type SharedQuestions } from '#sharing/shared-questions.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { Refused } from '#warehouse/errors.ts';
import { askOf } from '#warehouse/query/ask.ts';
import { hasManyCells } from '#warehouse/query/size.ts';
import { declaredIn } from '#warehouse/query/file-variables.ts';
import type { QueryContext } from '#warehouse/query/context.ts';
import { listOf, otherGroups, type AccountList, type Listed } from '#warehouse/read/account-lists.ts';
import type { AnswerCache, AsJson } from './answers.ts';
import { callerIn, contextOf, type Unopened } from './context.ts';
import type { Account } from './contract/accounts.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { getSharedPage, getSharedPanel, type SharedPage } from './contract/shares.ts';
import type { ApiDeps } from './deps.ts';
import type { TargetJudgement } from '#reports/targets/judge.ts';
import { Declined } from './errors.ts';
import { answerOf, describedMetrics } from './metrics.ts';
import { assertNamed, questionIn } from './question.ts';
import { judgedFor } from './targets.ts';

interface OpenedPage {
  share: OpenedShare;
  asked: Unopened;
  shown: SharedQuestions;
  board: SharedView['board'];
  hasAgents: boolean;
}

/** No more of it than the link shows: titles of other panels are nobody's. */
const boardShown = (board: OpenedPage['board'], { panels }: SharedQuestions): SharedPage['board'] =>
  board ? { ...board, panels: board.panels.filter((one) => panels.some(({ id }) => id === placeId(one))) } : null;

/** The first day with numbers for the account, while its past is still being pulled. */
function firstDay(deps: ApiDeps, { id, since }: { id: string; since: string }): string {
  const isPulled = deps.pulls().running.some(({ account }) => account === id);
  return (isPulled ? deps.pulledSince?.(id) : null) ?? since;
}

/** Errors: Declined. */
async function openedIn(deps: ApiDeps, c: Context): Promise<OpenedPage> {
  assertNamed(questionIn(new URL(c.req.url).searchParams), []);
  const { share, rights } = callerIn(c);
  if (!share) throw new Declined('unauthorized', 'send the key of a shared link as Authorization: Bearer <key>');
  const frozen = storedView(share.frozen);
  const asked = frozen && (await contextOf(deps, c, { account: frozen.account }));
  const hasAgents = rights.has('agents:read');
  const shown =
    asked &&
    sharedQuestionsAt(frozen, {
      ...{ now: new Date(deps.clock()), timezone: asked.account.timezone, hasAgents },
      since: firstDay(deps, asked.account),
    });
  if (!shown) throw new Declined('not_found', 'the page of this link is not there any more');
  if (needsAgents(shown) && !hasAgents)
    throw new Declined('forbidden', 'whoever made this link may not see the figures of single agents any more');
  return { share, asked, shown, board: frozen.board, hasAgents };
}

const panelsOf = ({ panels, today }: SharedQuestions) => [...panels, ...today];

const questionsOf = (shown: SharedQuestions) => panelsOf(shown).flatMap((panel) => wantedBy(panel, shown.filters));

/** Only names that occur in the answers: of split values and of filters. */
async function listedIn(context: QueryContext, shown: SharedQuestions): Promise<AsJson<Account>> {
  const { id, timezone, since, simulated = false } = context.account;
  const splits = new Set(questionsOf(shown).flatMap(({ wanted }) => wanted.split ?? []));
  const named = async (list: AccountList, split: string, chosen: readonly string[]): Promise<Listed[]> => {
    if (chosen.length === 0 && !splits.has(split)) return [];
    const all = await listOf(context, list);
    return chosen.length === 0 ? all : all.filter((one) => chosen.includes(String(one.id)));
  };
  const hasGroups = splits.has('group') || shown.filters.group.length > 0;
  const [agents, groups, other_groups, goals] = await Promise.all([
    named('agents', 'agent', shown.filters.agent),
    named('groups', 'group', shown.filters.group),
    hasGroups ? otherGroups(context) : [],
    named('goals', 'goal', []),
  ]);
  const byLogin = agents.map(({ id: login, name }) => ({ login, name }));
  const variables = await variablesIn(context, shown, splits);
  return {
    ...{ id, timezone, since, simulated, agents: byLogin, groups, other_groups, goals },
    tags: [],
    more_tags: false,
    variables,
  };
}

/** Titles of the variables that are split or narrowed by, with the values that are chosen of them. */
async function variablesIn(
  { snapshot, account }: QueryContext,
  { filters }: SharedQuestions,
  splits: ReadonlySet<string>,
): Promise<Account['variables']> {
  const declared = await declaredIn(snapshot.engine, account.id);
  return declared.flatMap(({ id, title }) => {
    const values = valuesOf(filters.variable, id);
    return values.length > 0 || splits.has(splitByVariable(id)) ? [{ id, title, values }] : [];
  });
}

/** Targets as its maker sees them, of the numbers that it shows. */
async function judgedIn(
  deps: ApiDeps,
  context: QueryContext,
  { filters, panels }: SharedQuestions,
): Promise<TargetJudgement[]> {
  const { from, to, timezone, group, agent, tag, variable } = filters;
  const narrowed = { group: group.map(Number), agent, tag, variable };
  const judged = await judgedFor(deps, { from, to, timezone, filters: narrowed }, context);
  return judged.filter((one) => panels.some((panel) => targetOf(panel, [one])));
}

/** Shared content must not be cached anywhere between server and reader. */
function unkept(answer: Response): Response {
  answer.headers.delete('etag');
  answer.headers.set('cache-control', 'no-store');
  answer.headers.set('referrer-policy', 'no-referrer');
  return answer;
}

export function addSharedPage(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(getSharedPage.path, async (c) => {
    const { share, asked, shown, board, hasAgents } = await openedIn(deps, c);
    const about = {
      ...{ title: share.title, shared_by: share.maker, expires_at: share.expires_at, has_agents: hasAgents },
      ...{ dashboard: shown.dashboard.id, board: boardShown(board, shown), filters: shown.filters },
      ...{ panels: shown.panels.map((panel) => panel.id), today: shown.today.map((panel) => panel.id) },
      saved_queries: shown.queries,
    };
    const used = new Set(questionsOf(shown).map(({ metric }) => metric));
    const targets = deps.userData.targets.list(asked.account.id);
    return unkept(
      await answers.answer<SharedPage>(c, asked, `share ${JSON.stringify([about, targets])}`, async (context) => {
        const { id, published_at } = context.snapshot;
        const metrics = describedMetrics(context.settling).filter((metric) => used.has(metric.id));
        const judged = await judgedIn(deps, context, shown);
        return { ...about, account: await listedIn(context, shown), metrics, judged, snapshot: { id, published_at } };
      }),
    );
  });

  app.get(routed(getSharedPanel), async (c) => {
    const { asked, shown } = await openedIn(deps, c);
    const name = c.req.param('panel');
    const panels = panelsOf(shown);
    const panel = panels.find(({ id }) => id === name);
    const ids = panels.map(({ id }) => id);
    if (!panel) throw new Declined('not_found', `the link shows no panel ${name}, only ${ids.join(', ')}`, ids);
    const questions = wantedBy(panel, shown.filters);
    return unkept(
      await answers.answer<AnswerOf<typeof getSharedPanel>>(
        c,
        asked,
        `shared ${JSON.stringify(questions)}`,
        async (context) => ({
          outcomes: await Promise.all(
            questions.map(async ({ metric, wanted }) => {
              try {
                return { kind: 'answered', answer: await answerOf(metric, wanted, context) } as const;
              } catch (error) {
                if (!(error instanceof Refused)) throw error;
                return { kind: 'refused', message: error.message, choices: [...error.choices] } as const;
              }
            }),
          ),
        }),
        (context) => isAnyLong(questions, context),
      ),
    );
  });
}

/** A question that is refused has no cells. */
async function isAnyLong(questions: ReturnType<typeof wantedBy>, context: QueryContext): Promise<boolean> {
  const long = questions.map(async ({ metric, wanted }) => {
    try {
      return await hasManyCells(context.snapshot.engine, metricOf(metric), askOf(metricOf(metric), wanted, context));
    } catch (error) {
      if (error instanceof Refused) return false;
      throw error;
    }
  });
  return (await Promise.all(long)).includes(true);
}
