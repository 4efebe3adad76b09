// An agent's own figures over HTTP: the signed-in user decides whose, and the address may only choose days.
import type { Context, Hono } from 'hono';
import { least_basis, ownFiguresOf } from '#reports/own-figures/own-figures.ts';
import { least_colleagues } from '#reports/own-figures/quartiles.ts';
import { daysOf } from '#reports/own-figures/range.ts';
import { contextIn } from '#warehouse/query/context.ts';
import type { AnswerCache } from './answers.ts';
import { accountOf, callerIn, nowOf, snapshotOf } from './context.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { getOwnFigures, listReads, type OwnFigures } from './contract/own-figures.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { assertNamed, onlyOne, questionIn } from './question.ts';

const names = Object.keys(getOwnFigures.query.shape);

/** Login of the agent who has signed in. Errors: Declined. */
function agentIn(c: Context): string {
  const { reader, user } = callerIn(c);
  const login = reader.rows?.agent;
  // Tokens are refused: limited to arbitrary groups, they could compare colleagues in any circle.
  if (!user || login === undefined)
    throw new Declined(
      'forbidden',
      'own figures are for agents who have signed in (the role agent, which has a login)',
    );
  return login;
}

/** Number of recent reads shown to an agent. */
const most_reads = 50;

/** What was read; the names of other agents in the same read are hidden from each of them. */
export const aboutFor = (login: string, about: string): string =>
  about
    .replaceAll(/&?\bagent=([^&\s]*)/g, (all, value: string) =>
      new URLSearchParams(`agent=${value}`).get('agent') === login ? all : '',
    )
    .replace(/\?(&|(?=\s|$))/, (_, next: string) => (next === '&' ? '?' : ''));

export function addOwnFigures(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(listReads.path, (c) => {
    const login = agentIn(c);
    const found = deps.auth.audit.readsOfAgent(login, most_reads);
    const reads = found.map(({ at, who, action, about, agents }) => ({
      at,
      who,
      action,
      about: aboutFor(login, about),
      is_of_all: agents === '*',
    }));
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listReads>>({ reads });
  });

  app.get(getOwnFigures.path, (c) => {
    const asked = questionIn(new URL(c.req.url).searchParams);
    assertNamed(asked, names);
    const { reader } = callerIn(c);
    const login = agentIn(c);
    const { groups: allowed } = reader.rows ?? {};
    const account = accountOf(deps, reader, onlyOne(asked, 'account'));
    const [snapshot, now] = [snapshotOf(deps), nowOf(deps)];
    const days = daysOf({ from: onlyOne(asked, 'from'), to: onlyOne(asked, 'to') }, account, now);
    const least = Math.max(least_basis, deps.agentFigures?.kind === 'from' ? deps.agentFigures.chats : 0);
    // The reader, and thus the login, is part of the key; the colleagues are counted without the reader's row rule.
    const open = () => contextIn({ id: 'own figures' }, snapshot, account, now);
    const unopened = { reader, account, snapshot: snapshot.id, now, open };
    return answers.answer<OwnFigures>(c, unopened, `own figures ${JSON.stringify(days)}`, async (everybody) => {
      const about = { snapshot: snapshot.id, account: account.id, timezone: account.timezone, ...days, agent: login };
      const circles = await ownFiguresOf({ login, days, allowed, least }, everybody);
      return { ...about, least_colleagues, least_basis: least, circles };
    });
  });
}
