// Asks the panels of one agent's page and the agent's latest chats; choosing another agent leads to that one's page.
import { browser } from '$app/env';
import { error, redirect } from '@sveltejs/kit';
import { agentPanels } from '#dashboards/agent.ts';
import { agentAddress } from '#lib/drill/addresses.ts';
import { filtersIn } from '#lib/drill/back.ts';
import { readChats } from '#lib/drill/chats.ts';
import { askExpected, soon } from '#lib/expected.ts';
import { seesAgents, seesEveryAgent } from '#lib/sees-agents.ts';
import { filtersAt, missingAgent } from '#lib/page-filters.ts';
import { firstPaint } from '#lib/first-paint.ts';
import { pageWait } from '#lib/page-wait.ts';
import { readTeam } from '#lib/team.ts';
import { askPanels, known, type AskedPanel } from '#lib/panels.ts';
import { words } from './words.ts';
import type { PageLoad } from './$types.js';

const LATEST = 10;

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const { login } = params;
  const others = url.searchParams.getAll('agent').filter((it) => it !== login);
  if (others[0]) {
    const query = new URLSearchParams(filtersIn(url.searchParams));
    query.delete('agent');
    redirect(307, agentAddress(others[0], query.size ? `?${query}` : ''));
  }
  const frame = await parent();
  const { account, metrics } = frame;
  const read = { ...filtersAt(url, frame), agent: [login] };
  const none = { chats: null, problem: null, expected: null, team: null };
  if (!account) return { login, filters: read, asked: [] as AskedPanel[], ...none };
  const isListed = frame.me.rows?.agent === login || account.agents.some((it) => it.login === login);
  if (!isListed) {
    const ever = new URLSearchParams({ from: account.since, to: read.today, timezone: read.timezone, agent: login });
    const { found } = await readChats(fetch, account.id, ever, 1);
    if (found?.total === 0) error(404, seesEveryAgent(frame.me) ? words.noAgent(login) : words.unseen(login));
  }
  const filters = isListed ? read : { ...read, problems: [...read.problems, missingAgent(frame.me)(login)] };
  // Agents are compared with their colleagues on their own page, without names.
  const { isShown } = seesAgents(frame.me);
  const compared = isShown ? soon(askExpected(fetch, account.id, filters)) : null;
  const beside = isShown ? readTeam(fetch, account.id, login, filters) : null;
  const wait = pageWait(frame.page_wait_ms, url);
  const asked = await askPanels(fetch, agentPanels, account, filters, new Map(metrics.map((it) => [it.id, it])), wait);
  const query = new URLSearchParams({ from: filters.from, to: filters.to, timezone: filters.timezone, agent: login });
  const { found: chats, problem } = await readChats(fetch, account.id, query, LATEST);
  const about = { login, filters, chats, problem };
  if (browser && firstPaint.isOver)
    return { ...about, asked: asked as AskedPanel[], expected: await compared, team: await beside };
  return { ...about, asked: await known(asked, wait), expected: await compared, team: await beside };
};
