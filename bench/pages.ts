// Pages of a chat archive as a source would send them: 25 chats of about a dozen lines each, as text.
import { pageSize, type ArchivedChat } from '#contract/archive.ts';

const agentOf = (number: number) => ({ display_name: `Agent ${number}`, email: `agent${number}@example.com` });
const words = 'hello the order has not arrived yet could you please look where it is thank you very much '.repeat(3);

/** A chat that depends on its number only. */
export function archivedChatOf(number: number, started: number): ArchivedChat {
  const id = `B${number.toString(36).toUpperCase().padStart(9, '0')}`;
  const agent = agentOf(number % 200);
  const name = `Visitor ${number % 5000}`;
  const lines = Array.from({ length: 8 + (number % 9) }, (_, place) => {
    const isVisitor = place % 2 === 0;
    const timestamp = started + place * (10 + (number % 30));
    const length = 20 + ((number * 31 + place * 17) % 160);
    return {
      author_name: isVisitor ? name : agent.display_name,
      text: words.slice(0, length),
      date: new Date(timestamp * 1000).toUTCString(),
      timestamp,
      user_type: isVisitor ? ('visitor' as const) : ('agent' as const),
      ...(isVisitor ? {} : { agent_id: agent.email }),
    };
  });
  const ended = (lines.at(-1)?.timestamp ?? started) + 30;
  return {
    type: 'chat',
    id,
    visitor: {
      id: `S${number}`,
      name,
      ip: '203.0.113.7',
      city: 'Wroclaw',
      country: 'Poland',
      country_code: 'PL',
      timezone: 'Europe/Warsaw',
      region: 'Dolnoslaskie',
    },
    agents: [agent],
    supervisors: [],
    rate: ['rated_good', 'not_rated', 'not_rated', 'rated_bad'][number % 4] ?? 'not_rated',
    duration: ended - started,
    chat_start_url: `https://www.example.com/page/${number % 700}`,
    referrer: 'https://search.example.org/',
    group: [number % 20],
    started: new Date(started * 1000).toUTCString(),
    started_timestamp: started,
    ended: new Date(ended * 1000).toUTCString(),
    ended_timestamp: ended,
    prechat_survey: [
      { key: 'Name:', value: name, id: '1' },
      { key: 'E-mail:', value: `visitor${number}@example.net`, id: '2' },
    ],
    postchat_survey: [],
    custom_variables: [{ key: 'plan', value: 'gold' }],
    tags: number % 3 === 0 ? [`tag-${number % 40}`] : [],
    goals: number % 20 === 0 ? [{ id: 1 + (number % 6), name: 'Goal', timestamp: ended, order: {} }] : [],
    ...(number % 3 === 0 ? { queue: { duration: number % 90 } } : {}),
    timezone: 'Europe/Warsaw',
    messages: lines,
    events: lines.map((line) => ({ ...line, type: 'message' as const })),
    engagement: 'immediate_start',
  };
}

/** The pages of one day with `count` chats; `first` is the number of its first chat, `start` its first second. */
export function pagesOf(first: number, count: number, start: number): string[] {
  const chats = Array.from({ length: count }, (_, place) =>
    archivedChatOf(first + place, start + Math.floor((place * 86_000) / count)),
  );
  const pages = Math.ceil(count / pageSize);
  return Array.from({ length: pages }, (_, page) =>
    JSON.stringify({ chats: chats.slice(page * pageSize, (page + 1) * pageSize), total: count, pages }),
  );
}
