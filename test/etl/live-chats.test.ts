// Chats that agents and customers made over the v3 APIs: both archives tell the same of them.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { archivedChat } from '#contract/archive.ts';
import { threadedChat } from '#contract/threads.ts';
import { decodeChat } from '#etl/decode/chats.ts';
import { decodeThread } from '#etl/decode/threads.ts';
import { differencesOf } from '#etl/load/source-differences.ts';
import { message, parties } from '../livechat/service/live/parties.ts';
import { ann, bob } from '../livechat/service/tiny.ts';

let world: Awaited<ReturnType<typeof parties>>;
beforeAll(async () => {
  world = await parties();
});
afterAll(() => world.end());

it('are decoded alike from both archives, whatever was sent', async () => {
  const mary = world.customer({ name: 'Mary', session_fields: [{ plan: 'pro' }] });
  const [asAnn, asBob] = [world.agent(ann), world.agent(bob)];
  const fields = [{ id: '1', type: 'question', label: 'What is it about?', answer: 'A parcel' }];
  const form = { type: 'filled_form', form_id: 'f', fields };
  const card = { type: 'rich_message', template_id: 'cards', elements: [{ title: 'Track it' }, { title: 'Call us' }] };
  const started = await mary('start_chat', {
    chat: { access: { group_ids: [1] }, thread: { events: [form, message('Hello')] } },
  });
  const { chat_id, thread_id } = started.body;
  const say = async (as: typeof asAnn, event: object) => {
    world.clock.now += 7;
    expect((await as('send_event', { chat_id, event })).status).toBe(200);
  };
  await say(asAnn, message('Good day'));
  await say(asAnn, card);
  await say(asAnn, { ...message('Be careful'), visibility: 'agents' });
  await say(asAnn, { type: 'custom', content: { step: 1 } });
  await say(asAnn, {
    type: 'file',
    url: await mary.upload(new File(['%PDF'], 'guide.pdf', { type: 'application/pdf' })),
  });
  await mary('send_event', { chat_id, event: message('Thanks') });
  expect(
    (await asAnn('add_user_to_chat', { chat_id, user_id: bob, user_type: 'agent', visibility: 'all' })).status,
  ).toBe(200);
  await say(asBob, message('I can help'));
  expect((await asBob('remove_user_from_chat', { chat_id, user_id: ann, user_type: 'agent' })).status).toBe(200);
  world.clock.now += 25 * 60;
  await mary('update_thread_properties', { chat_id, thread_id, properties: { rating: { score: 0, comment: 'Slow' } } });
  await asBob('tag_thread', { chat_id, thread_id, tag: 'parcel' });
  expect((await asBob('deactivate_chat', { id: chat_id })).status).toBe(200);
  world.clock.now += 60;
  await mary('send_event', { chat_id, attach_to_last_thread: true, event: form });
  await mary('send_event', { chat_id, attach_to_last_thread: true, event: message('One more thing') });

  const from = { account: 'default', pull_id: 'p', content_hash: 'h' };
  const v2 = decodeChat(archivedChat.parse(await (await world.ask(`/chats/${thread_id}`)).json()), from);
  const page = await asAnn('list_archives', { filters: { thread_ids: [thread_id] } });
  const v3 = decodeThread(threadedChat.parse(page.body.chats[0]), from);
  expect(differencesOf(v2, v3)).toEqual([]);
  const lines = v2.messages.map((line) => `${String(line.user_type)} ${String(line.kind)} ${String(line.text)}`);
  expect(lines).toContain('agent message Track it, Call us');
  expect(lines).toContain('supervisor message Be careful');
  expect(lines).toContain('visitor message One more thing');
});
