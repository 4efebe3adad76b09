// One chat whose record cannot be read: nobody else's chat, and no request, waits for it.
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ann } from '../tiny.ts';
import { parties } from './parties.ts';

it('a chat that cannot be brought up to the clock is told, and all others are', async () => {
  const mistakes: string[] = [];
  const world = await parties({}, { onMistake: (error, where) => mistakes.push(`${where}: ${String(error)}`) });
  try {
    const start = async () => (await world.customer()('start_chat', { chat: { access: { group_ids: [1] } } })).body;
    const [broken, whole] = [await start(), await start()];
    const sqlite = new DatabaseSync(world.options.file);
    sqlite.exec(
      `update bodies set body = '{' where number = (select number from chats where id = '${broken.thread_id}')`,
    );
    sqlite.close();
    world.clock.now += 2 * 3600;
    const { status, body } = await world.agent(ann)('get_chat', { chat_id: whole.chat_id });
    expect([status, body.thread!.active]).toEqual([200, false]);
    expect(mistakes).toEqual([expect.stringContaining('bringing chats up to the clock: SyntaxError')]);
  } finally {
    await world.end();
  }
});
