// Shared links as their makers see them: one's own, and those of all for who may let others in.
import type { Context, Hono } from 'hono';
import type { ShareKey } from '#auth/shares.ts';
import type { Caller } from '#auth/caller.ts';
import { queryNamed } from '#dashboards/board-queries.ts';
import { placeId } from '#dashboards/boards.ts';
import { boardOfPage, storedView, viewText, type SharedView } from '#sharing/shared-view.ts';
import { needsAgents, sharedQuestionsAt } from '#sharing/shared-questions.ts';
import { boardOf } from './boards.ts';
import { accountOf, callerIn, plainRows, userIn } from './context.ts';
import { routed, type AnswerOf } from './contract/endpoint.ts';
import { addShare, listShares, removeShare, type Share } from './contract/shares.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { assertListed } from './listed.ts';
import { bodyOf } from './validation.ts';

/** The board behind a page, in its current state. Errors: Declined. */
function boardAt(deps: ApiDeps, c: Context, page: string): Pick<SharedView, 'board'> {
  const named = boardOfPage(page);
  if (!named) return {};
  const { title, panels } = boardOf(deps, c, named.board);
  const ofLink = panels.filter((one) => queryNamed(one) === undefined);
  if (named.panel === undefined && ofLink.length === 0)
    throw new Declined(
      'bad_request',
      'page: the board has no panel that a link shows: a saved query runs as whoever reads it',
    );
  if (named.panel !== undefined && !ofLink.some((one) => placeId(one) === named.panel))
    throw new Declined('not_found', `the board has no panel ${named.panel} that a link shows`);
  return { board: { title, panels: panels as NonNullable<SharedView['board']>['panels'] } };
}

export function addShares(app: Hono, deps: ApiDeps): void {
  const { shares, users, hasSharing } = deps.auth;
  const isOfAll = (caller: Caller): boolean => caller.rights.has('people:write');
  const written = ({ rights, rows, frozen, ...share }: ShareKey): Share => ({
    ...{ ...share, user_name: users.find(share.user)?.name ?? '' },
    ...{ rights: [...rights], rows: plainRows(rows), frozen: storedView(frozen) ?? null },
  });

  app.get(listShares.path, (c) => {
    const caller = callerIn(c);
    const listed = isOfAll(caller) ? shares.list() : shares.list(userIn(c).id);
    return c.json<AnswerOf<typeof listShares>>({ shares: listed.map(written) });
  });

  app.post(addShare.path, async (c) => {
    const { title, page, filters, account, has_agents, rows = {}, days } = await bodyOf(c, addShare.body);
    const maker = users.find(userIn(c).id);
    if (!maker) throw new Declined('unauthorized', 'sign in again');
    if (!hasSharing)
      throw new Declined('forbidden', 'sharing is switched off: whoever runs the server sets CHATLEDGER_SHARING=on');
    const { reader } = callerIn(c);
    const { id, timezone, since } = accountOf(deps, reader, account);
    const { groups = [], agent } = rows;
    const [accounts, agents] = [[id], agent === undefined ? [] : [agent]];
    await assertListed(deps, reader, { accounts, groups, agents }, 'a link');
    await assertListed(deps, reader, { accounts, groups: filters.group, agents: filters.agent }, 'a link', {
      groups: 'filters.group',
      agent: 'filters.agent',
    });
    const frozen = { page, ...boardAt(deps, c, page), account: id, filters };
    const shown = sharedQuestionsAt(frozen, { now: new Date(deps.clock()), timezone, since, hasAgents: has_agents });
    if (!has_agents && (!shown || needsAgents(shown)))
      throw new Declined(
        'bad_request',
        'has_agents: what it shows are figures of single agents, so the link needs them',
      );
    const { share, key } = shares.add(maker, {
      ...{ title, has_agents, days, frozen, shows: viewText(frozen) },
      rows: { ...rows, accounts: [id] },
    });
    const can_be_embedded = (deps.embedders ?? []).length > 0;
    return c.json<AnswerOf<typeof addShare>>({ share: written(share), key, can_be_embedded });
  });

  app.delete(routed(removeShare), (c) => {
    const caller = callerIn(c);
    const isGone = shares.remove(c.req.param('id'), isOfAll(caller) ? undefined : userIn(c).id);
    if (!isGone) throw new Declined('not_found', 'there is no such link of yours');
    return c.body(null, 204);
  });
}
