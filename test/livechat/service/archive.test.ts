// The archive: which chats a question finds, in which order and on how many pages, and what a chat looks like by when.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archivedChat, type ArchivedChat, type ArchivePage } from '#contract/archive.ts';
import { ann, at, bob, chat, lines, tinyService } from './tiny.ts';

type Running = Awaited<ReturnType<typeof tinyService>>;

const started = '2013-01-23T10:40:53Z';
const full = chat(started, '2013-01-23T11:05:09Z', {
  id: 'MH022RD0K5',
  supervisors: [{ display_name: 'Jane Doe', email: 'jane@example.com' }],
  referrer: 'https://example.com',
  queue_seconds: 20,
  events: [
    ...lines(started, 'a0', 'v9', 'f12', 's980'),
    {
      at: at('2013-01-23T11:05:09Z'),
      type: 'event',
      event_type: 'closed',
      user_type: 'visitor',
      text: 'Mary Brown closed the chat.',
    },
  ],
  ratings: [{ at: at('2013-01-23T11:04:00Z'), rate: 'rated_good', comment: 'thanks' }],
  tags: [{ at: at('2013-01-24T08:00:00Z'), tag: 'late' }],
  goals: [
    { id: 71, name: 'g', at: at(started), order: { id: '', description: '', price: '0', currency: '' } },
    {
      id: 9,
      name: 's',
      type: 'sales_tracker',
      at: at('2013-01-24T08:00:00Z'),
      order: { id: 'A', description: 'x', price: '199', currency: 'CZK' },
    },
  ],
  prechat_survey: [{ key: 'Name:', value: 'Mary', id: '1' }],
  postchat_survey: [{ key: 'Good?', value: 'Yes', id: '2', at: at('2013-01-23T11:05:09Z') }],
  custom_variables: [{ key: 'k', value: 'v' }],
  integration_variables: [{ key: 'facebook.id', value: '1' }],
});

describe('one archived chat', () => {
  let it_runs: Running;
  const shown = async (query = '') => (await (await it_runs.ask(`/chats/MH022RD0K5${query}`)).json()) as ArchivedChat;
  beforeAll(async () => {
    it_runs = await tinyService({ zone: 'Europe/Berlin', now: '2013-01-25T00:00:00Z', chats: [full] });
  });
  afterAll(() => it_runs.end());

  it('has the keys of the documents in their order, and dates on the wall clock of its time zone', async () => {
    const body = await shown();
    expect(archivedChat.parse(body)).toEqual(body);
    expect(Object.keys(body).join()).toBe(
      'type,id,visitor,agents,supervisors,rate,duration,chat_start_url,referrer,group,started,prechat_survey,' +
        'postchat_survey,custom_variables,integration_variables,goals,queue,tags,timezone,messages,events,' +
        'engagement,started_timestamp,ended_timestamp,ended',
    );
    expect(body).toMatchObject({
      started: 'Wed, 01/23/13 11:40:53 am',
      ended: 'Wed, 01/23/13 12:05:09 pm',
      duration: 1456,
      started_timestamp: 1358937653,
      ended_timestamp: 1358939109,
      timezone: 'Europe/Berlin',
      queue: { duration: 20 },
      rate: 'rated_good',
      tags: ['late'],
    });
  });
  it('keeps messages apart from events, and shows files and who sent what', async () => {
    const { messages, events } = await shown();
    expect(messages.map((message) => message.user_type)).toEqual(['agent', 'visitor', 'supervisor']);
    expect(events.map((event) => event.type)).toEqual(['message', 'message', 'attachment', 'message', 'event']);
    expect(events[2]).toMatchObject({ files: ['https://example.com/f.pdf'] });
    expect(Object.keys(messages[1]!).join()).toBe('author_name,text,date,timestamp,user_type');
  });
  it('lacks what has not happened yet, and is pending until its end', async () => {
    it_runs.clock.now = at('2013-01-23T11:00:00Z');
    expect((await it_runs.ask('/chats/MH022RD0K5')).status).toBe(404);
    const pending = await shown('?include_pending=1');
    expect(pending).toMatchObject({ pending: true, rate: 'not_rated', tags: [], duration: 1147 });
    expect(pending).not.toHaveProperty('ended');
    expect(pending).not.toHaveProperty('ended_timestamp');
    expect([pending.events.length, pending.goals?.length, pending.postchat_survey]).toEqual([4, 1, []]);
    const page = (await (await it_runs.ask('/chats')).json()) as ArchivePage;
    expect(page).toEqual({ chats: [], total: 0, pages: 0 });
    it_runs.clock.now = at('2013-01-25T00:00:00Z');
  });
});

describe('the list of chats', () => {
  let it_runs: Running;
  const numbered = Array.from({ length: 26 }, (_, index) =>
    chat('2026-05-04T10:00:00Z', '2026-05-04T10:05:00Z', { id: `SAME${String(index).padStart(6, '0')}`, groups: [2] }),
  );
  const found = async (query: string): Promise<{ ids: string[]; total: number; pages: number }> => {
    const answer = await it_runs.ask(`/chats?${query}`);
    const { chats, total, pages } = (await answer.json()) as ArchivePage;
    return { ids: chats.map((each) => each.id), total, pages };
  };
  beforeAll(async () => {
    it_runs = await tinyService({
      zone: 'Europe/Warsaw',
      now: '2026-05-06T00:00:00Z',
      chats: [
        ...numbered,
        { ...full, id: 'OLDEST0001', visitor: { ...full.visitor, id: 'S1', name: 'Zoë "Zed" Ångström' } },
        chat('2026-05-04T21:59:59Z', '2026-05-05T01:00:00Z', {
          id: 'NIGHT00001',
          groups: [1, 2],
          agents: [{ display_name: 'Bob', email: bob }],
          queue_seconds: 0,
          ratings: [{ at: at('2026-05-05T02:00:00Z'), rate: 'rated_bad' }],
          events: lines('2026-05-04T21:59:59Z', 'v1'),
        }),
        chat('2026-05-05T23:00:00Z', '2026-05-06T09:00:00Z', {
          id: 'PENDING001',
          events: lines('2026-05-05T23:00:00Z', 'v1', 'v9000'),
        }),
      ],
    });
  });
  afterAll(() => it_runs.end());

  it('has pages of 25, newest first, ties by id descending', async () => {
    const first = await found('');
    expect([first.ids.length, first.total, first.pages]).toEqual([25, 28, 2]);
    expect(first.ids.slice(0, 3)).toEqual(['NIGHT00001', 'SAME000025', 'SAME000024']);
    expect((await found('page=2')).ids).toEqual(['SAME000001', 'SAME000000', 'OLDEST0001']);
    expect(await found('page=3')).toEqual({ ids: [], total: 28, pages: 2 });
    expect(await found('date_from=2026-05-05&date_to=2026-05-05')).toEqual({ ids: [], total: 0, pages: 0 });
    expect(await found('group=1&queued=1')).toMatchObject({ total: 2, pages: 1 });
  });
  it('refuses pages beyond 1000 and before 1, bad dates and dates the wrong way round', async () => {
    for (const query of [
      'page=1001',
      'page=0',
      'page=x',
      'date_from=INVALID',
      'date_from=1999-12-31',
      'date_from=2026-05-05&date_to=2026-05-04',
      'date_from=2026-05-07',
      'rate=great',
      'timezone=Nowhere/Here',
      'has_goal=2',
    ]) {
      const answer = await it_runs.ask(`/chats?${query}`);
      expect([query, answer.status]).toEqual([query, 400]);
      expect(await answer.json()).toEqual({ errors: [expect.stringContaining(':')] });
    }
  });
  it('selects by the start in the asked zone', async () => {
    const day = 'date_from=2026-05-04&date_to=2026-05-04';
    expect((await found(day)).total).toBe(27);
    expect((await found(`${day}&timezone=Asia/Tokyo`)).total).toBe(26);
  });
  it('shows pending chats only when they are asked for', async () => {
    expect((await found('include_pending=1')).ids[0]).toBe('PENDING001');
    expect((await found('include_pending=0')).total).toBe(28);
  });
  it.each([
    [`agent=${bob}`, ['NIGHT00001']],
    [`agent=${ann}&rate=rated`, ['OLDEST0001']],
    ['rate=rated', ['NIGHT00001', 'OLDEST0001']],
    ['rate=rated_bad', ['NIGHT00001']],
    ['rate=not_rated&group=1', []],
    ['visitor_id=S1', ['OLDEST0001']],
    ['queued=1', ['NIGHT00001', 'OLDEST0001']],
    ['queued=0&group=1', []],
    ['has_goal=1', ['OLDEST0001']],
    ['goal=71', ['OLDEST0001']],
    ['goal=9', []],
    ['sale=9&has_sale=1', ['OLDEST0001']],
    ['tagged=1', ['OLDEST0001']],
    ['tag[]=late&tag[]=other', ['OLDEST0001']],
    ['tag[]=Late', []],
    ['comment=1', ['OLDEST0001']],
    ['country=poland&city=Krak%C3%B3w&group=1', ['NIGHT00001', 'OLDEST0001']],
    ['country=Germany', []],
    ['query=%22zed%22%20%C3%A5ng', ['OLDEST0001']],
    ['query=LINE%20V1', ['NIGHT00001']],
    ['query=closed%20the', []],
    ['query=line%20v9000&include_pending=1', []],
    ['query=line%20v1&include_pending=1', ['PENDING001', 'NIGHT00001']],
    ['unknown=1&tagged=1', ['OLDEST0001']],
  ])('is filtered by %s', async (query, ids) => {
    expect((await found(query)).ids).toEqual(ids);
  });
});
