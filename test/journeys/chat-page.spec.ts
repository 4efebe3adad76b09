// The page of the embedded service: both halves of a chat played through over a service of its own, and what is kept of it.
import { expect, type Page } from '@playwright/test';
import { ann, basic, bob, tinyService } from '../livechat/service/tiny.ts';
import { expectAccessible, expectFits } from './accessible.ts';
import { test } from './product.ts';

const hour = 3600;
const now = Math.floor(Date.now() / 1000);
const is_accepting = (agent: string) => ({
  ...{ agent, status: 'accepting chats' as const },
  ...{ from: now - hour, to: now + 6 * hour },
});
const longName = `Maximiliane ${'Wolfeschlegelstein'.repeat(4)}`;

/** A service of which the clock goes on; with Ann and Bob at work, or nobody. */
async function service(agents: string[]) {
  const runs = await tinyService({
    now: new Date(now * 1000).toISOString(),
    statuses: agents.map(is_accepting),
  });
  const timer = setInterval(() => (runs.clock.now = Math.floor(Date.now() / 1000)), 200);
  return {
    ...runs,
    end: async () => {
      clearInterval(timer);
      await runs.end();
    },
  };
}

async function signIn(page: Page, login: string, key: string): Promise<void> {
  const agent = page.getByRole('region', { name: 'Agent' });
  await agent.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Login').fill(login);
  await page.getByLabel('Password or API key').fill(key);
  await page.getByRole('button', { name: 'Allow' }).click();
  await expect(agent.getByRole('status')).toHaveText(login);
}

async function start(page: Page, name: string, text: string): Promise<void> {
  const visitor = page.getByRole('region', { name: 'Visitor' });
  await visitor.getByLabel('Name').fill(name);
  await visitor.getByLabel('E-mail').fill('mary@example.com');
  await visitor.getByLabel('Group').selectOption({ value: '1' });
  await visitor.getByLabel('Message', { exact: true }).fill(text);
  await visitor.getByRole('button', { name: 'Start chat' }).click();
}

test('a chat is played through by a visitor and an agent, and the archive has it', async ({ page, complaints }) => {
  const runs = await service([ann, bob]);
  try {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(runs.service().url);
    const visitor = page.getByRole('region', { name: 'Visitor' });
    const agent = page.getByRole('region', { name: 'Agent' });
    await expect(visitor.getByRole('status').first()).toHaveText('No chat yet');
    await expectAccessible(page);
    await signIn(page, 'owner@example.com', 'secret');
    expect(new URL(page.url()).search).toBe('');

    const markup = '<img src=x onerror="document.title = 1"> <b>Hello?</b>';
    await start(page, longName, markup);
    await expect(visitor.getByRole('log')).toContainText(markup);
    await expect(visitor.getByRole('status').first()).toHaveText(/^Chatting with (Ann|Bob)$/);

    // Routing gave the chat to somebody else, who may be asked for it.
    await agent.getByRole('button', { name: longName }).click();
    await expect(agent.getByRole('log')).toContainText(markup);
    await expect(agent.getByText(/has this chat\.$/)).toBeVisible();
    await agent.getByLabel('Transfer to').selectOption(`agent ${bob}`);
    await agent.getByRole('button', { name: 'Transfer', exact: true }).click();
    await expect(agent.getByText('Bob has this chat.')).toBeVisible();
    await agent.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, bob, 'bobkey'.padEnd(32, '0'));
    await agent.getByRole('button', { name: longName }).click();

    // The keyboard alone is enough for a reply.
    await agent.getByLabel('Reply').fill('Good day.');
    await agent.getByLabel('Reply').press('Enter');
    await expect(visitor.getByRole('log')).toContainText('Good day.');
    await agent.getByLabel('Note for agents only').check();
    await agent.getByLabel('Reply').fill('She is nice');
    await agent.getByRole('button', { name: 'Send' }).click();
    await expect(agent.getByRole('log')).toContainText('She is nice');

    await visitor.getByLabel('File to send').setInputFiles({
      ...{ name: 'receipt.txt', mimeType: 'text/plain' },
      buffer: Buffer.from('paid'),
    });
    await expect(agent.getByRole('link', { name: 'receipt.txt' })).toBeVisible();
    await visitor.getByLabel('Message to the agent').fill('Thank you. '.repeat(100));
    await visitor.getByRole('button', { name: 'Send', exact: true }).click();
    await agent.getByLabel('Tag', { exact: true }).fill('parcel');
    await agent.getByRole('button', { name: 'Add tag' }).click();
    await expect(agent.getByRole('button', { name: 'Remove tag parcel' })).toBeVisible();
    await visitor.getByLabel('Good').check();
    await visitor.getByLabel('Comment').fill('Quick!');
    await visitor.getByRole('button', { name: 'Rate', exact: true }).click();
    await expect(agent.getByText('Rated good. “Quick!”')).toBeVisible();
    await expectAccessible(page);
    await agent.getByRole('button', { name: 'Close chat' }).click();
    await expect(visitor.getByRole('status').first()).toHaveText('Chat ended');
    await expect(agent.getByText(/^This chat is closed\./)).toBeVisible();
    await expect(visitor.getByRole('log')).not.toContainText('She is nice');
    await expectFits(page);

    const { chats } = (await (await runs.ask('/chats')).json()) as { chats: Record<string, unknown>[] };
    expect(chats).toHaveLength(1);
    expect(chats[0]).toMatchObject({ visitor: { name: longName }, rate: 'rated_good', tags: ['parcel'], group: [1] });
    const said = chats[0]!.messages as { text: string; user_type: string }[];
    expect(said.map(({ text, user_type }) => `${user_type}: ${text.slice(0, 12)}`)).toEqual([
      `visitor: ${markup.slice(0, 12)}`,
      'agent: Good day.',
      'supervisor: She is nice',
      'visitor: Thank you. T',
    ]);

    await visitor.getByRole('button', { name: 'Start again' }).click();
    await start(page, longName, 'One more thing');
    await expect(visitor.getByRole('log')).toHaveText(/One more thing/);
    await expect(visitor.getByRole('status').first()).toHaveText(/^Chatting with/);
    await visitor.getByRole('button', { name: 'End chat' }).click();
    await expect(visitor.getByRole('status').first()).toHaveText('Chat ended');
    const both = await runs.ask('/chats', basic('owner@example.com', 'secret'));
    expect(((await both.json()) as { total: number }).total).toBe(2);

    // Nothing outlives the tab but the cookie by which the service knows the visitor.
    expect(await page.evaluate(() => [localStorage.length, document.cookie])).toEqual([0, '']);
    expect(complaints).toEqual([]);
  } finally {
    await runs.end();
  }
});

test('a visitor learns that nobody is online, and in the queue how many are before', async ({ page, browser }) => {
  const runs = await service([]);
  try {
    await page.goto(runs.service().url);
    const visitor = page.getByRole('region', { name: 'Visitor' });
    const agent = page.getByRole('region', { name: 'Agent' });
    await expect(visitor.getByRole('option', { name: 'Sales (nobody online)' })).toBeAttached();
    await start(page, 'Mary', 'Anybody?');
    await expect(visitor.getByRole('alert')).toHaveText(/^Nobody of this group is online\./);

    await signIn(page, ann, 'annkey'.padEnd(32, '0'));
    await agent.getByRole('switch', { name: 'Accepting chats' }).check();
    await expect(visitor.getByRole('option', { name: 'Sales', exact: true })).toBeAttached();
    const change = async (profile: object): Promise<void> => {
      const { status } = await fetch(`${runs.service().url}/agents/${ann}`, {
        method: 'PUT',
        headers: { ...basic('owner@example.com', 'secret'), 'content-type': 'application/json' },
        body: JSON.stringify(profile),
      });
      expect(status).toBe(200);
    };
    await change({ max_chats_count: 1 });
    const other = await browser.newPage();
    await other.goto(runs.service().url);
    await start(other, 'First', 'Me first');
    await expect(other.getByText('Chatting with Ann')).toBeVisible();
    await start(page, 'Mary', 'Anybody?');
    await expect(visitor.getByText(/^Your place in the queue: 1\./)).toBeVisible();
    await agent.getByRole('button', { name: 'Mary' }).click();
    await expect(agent.getByText('Nobody has this chat.')).toBeVisible();
    await agent.getByRole('button', { name: 'Take over' }).click();
    await expect(visitor.getByRole('status').first()).toHaveText('Chatting with Ann');
    await change({ login_status: 'not accepting chats', status: 'offline' });
    await agent.getByRole('button', { name: 'Take over' }).click();
    await expect(agent.getByRole('alert')).toHaveText(/turn on “Accepting chats” to take the chat\.$/);
    await other.close();
  } finally {
    await runs.end();
  }
});
