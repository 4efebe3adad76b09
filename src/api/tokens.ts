// Tokens for programs: one's own, and those of all for who may let others in.
import type { Hono } from 'hono';
import type { Caller } from '#auth/caller.ts';
import { accountsOf, callerIn, plainRows, userIn } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { addToken, listTokens, removeToken } from './contract/tokens.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { assertAccounts, assertListed } from './listed.ts';
import { bodyOf } from './validation.ts';

export function addTokens(app: Hono, deps: ApiDeps): void {
  const { users, tokens } = deps.auth;
  const isOfAll = (caller: Caller): boolean => caller.rights.has('people:write');
  app.get(listTokens.path, (c) => {
    const caller = callerIn(c);
    const listed = isOfAll(caller) ? tokens.list() : tokens.list(userIn(c).id);
    return c.json<AnswerOf<typeof listTokens>>({
      tokens: listed.map(({ rights, rows, ...token }) => ({ ...token, rights: [...rights], rows: plainRows(rows) })),
    });
  });

  app.post(addToken.path, async (c) => {
    const { name, rights, rows, days } = await bodyOf(c, addToken.body);
    const maker = users.find(userIn(c).id);
    if (!maker) throw new Declined('unauthorized', 'sign in again');
    const { reader } = callerIn(c);
    const ids = accountsOf(deps, reader).map(({ id }) => id);
    assertAccounts(rows?.accounts ?? [], ids);
    const { accounts = ids, groups = [], agent } = rows ?? {};
    await assertListed(deps, reader, { accounts, groups, agents: agent === undefined ? [] : [agent] }, 'a token');
    const { token, secret } = tokens.add(maker, { name, rights, days, ...(rows ? { rows } : {}) });
    const answer = { ...token, rights: [...token.rights], rows: plainRows(token.rows) };
    return c.json<AnswerOf<typeof addToken>>({ token: answer, secret });
  });

  app.delete(routed(removeToken), (c) => {
    const caller = callerIn(c);
    const isGone = tokens.remove(c.req.param('id'), isOfAll(caller) ? undefined : userIn(c).id);
    if (!isGone) throw new Declined('not_found', 'there is no such token of yours');
    return c.body(null, 204);
  });
}
