// The ways of a hostile source, by name: what its account says, or how its answers are sent.
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { inherited } from '../../dashboards/inherited.ts';
import { ordinary } from './account.ts';

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** One question that came to the source. */
export interface Asked {
  path: string;
  search: URLSearchParams;
  /** How many came before it. */
  number: number;
  honest(): Promise<Answer>;
}

type Play = (asked: Asked, wire: ServerResponse) => void | Promise<void>;

export interface Mode {
  what: string;
  /** Texts of the account; ordinary ones without it. */
  texts?: readonly string[];
  /** A plan of the service's own chaos. */
  chaos?: string;
  /** Sends the answer in place of the honest one. */
  play?: Play;
  /** The archive that is pulled. */
  archive?: 'agent_v3';
  /** Every chat is loaded as it is; without it a loss that is told is none. */
  isWhole?: true;
}

type Json = Record<string, unknown>;
type Chat = Json & { id: string; tags: string[]; events: Json[] };
interface Page {
  chats: Chat[];
  total: number;
  pages: number;
}

const json = { 'content-type': 'application/json; charset=utf-8' };
const text = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): Answer => ({
  ...{ status, headers: { ...json, ...headers }, body: Buffer.from(body) },
});

export function send({ status, headers, body }: Answer, wire: ServerResponse): void {
  wire.writeHead(status, { ...headers, 'content-length': body.length }).end(body);
}

/** Always the same answer, whatever is asked. */
const always =
  (answer: Answer): Play =>
  (_, wire) =>
    send(answer, wire);

/** The honest answer with its text changed; answers that are none of these paths stay. */
const rewritten =
  (path: RegExp, rewrite: (body: string, asked: Asked) => string, headers: Record<string, string> = {}): Play =>
  async (asked, wire) => {
    const answer = await asked.honest();
    if (answer.status !== 200 || !path.test(asked.path)) return send(answer, wire);
    send(
      {
        ...answer,
        headers: { ...answer.headers, ...headers },
        body: Buffer.from(rewrite(answer.body.toString(), asked)),
      },
      wire,
    );
  };

const archive = /^\/chats$/;
const pagesWith = (edit: (page: Page, asked: Asked) => unknown): Play =>
  rewritten(archive, (body, asked) => {
    const page = JSON.parse(body) as Page;
    return JSON.stringify(edit(page, asked) ?? page);
  });
const chatsWith = (edit: (chat: Chat, index: number) => void): Play =>
  pagesWith(({ chats }) => void chats.forEach(edit));
const listed = (path: string, make: () => string): Play => {
  let made: Buffer | undefined;
  return async (asked, wire) => {
    if (asked.path !== path) return send(await asked.honest(), wire);
    send(text((made ??= Buffer.from(make()))), wire);
  };
};

/** Writes for as long as it is read. */
function pour(wire: ServerResponse, piece: string): void {
  const more = (): void => {
    while (!wire.destroyed && wire.write(piece));
    if (!wire.destroyed) wire.once('drain', more);
  };
  more();
}

/** On the wire beneath HTTP. */
const raw =
  (words: string, again?: string): Play =>
  (_, wire) => {
    const { socket } = wire;
    socket?.on('error', () => undefined);
    socket?.write(words);
    if (again === undefined) return void socket?.end();
    const timer = setInterval(() => (socket?.destroyed ? clearInterval(timer) : socket?.write(again)), 5);
  };

const MEBIBYTE = 1024 * 1024;
const spaces = (mebibytes: number): Buffer => Buffer.alloc(mebibytes * MEBIBYTE, ' ');
const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const many = (count: number, each: (index: number) => Json): string =>
  JSON.stringify(Array.from({ length: count }, (_, index) => each(index)));
let looped: Answer | undefined;
const stored: { gzip?: Buffer; brotli?: Buffer } = {};

/** A path, a name of the prototype, markup, or 100 kB. */
export const oddId = (id: string, index: number): string =>
  [
    `../../etc/passwd${id}`,
    `${inherited[index % inherited.length]!}${id}`,
    `/<b>${id}</b>?#&/`,
    id.padStart(100_000, 'x'),
  ][index % 4]!;

const transport: Record<string, Mode> = {
  silence: { what: 'nothing is ever answered', play: () => undefined },
  slow_bytes: {
    what: 'a byte a second, for as long as it is read',
    play: (_, wire) => {
      wire.writeHead(200, { ...json, 'content-length': 100_000 });
      const timer = setInterval(() => (wire.destroyed ? clearInterval(timer) : wire.write(' ')), 1000);
    },
  },
  endless_body: {
    what: 'a body without an end',
    play: (_, wire) => {
      wire.writeHead(200, json).write('{"chats":[');
      pour(wire, ' '.repeat(64 * 1024));
    },
  },
  gzip_bomb: {
    what: '200 kB that unpack to 200 MB (gzip)',
    play: (_, wire) => send(text((stored.gzip ??= gzipSync(spaces(200))), { 'content-encoding': 'gzip' }), wire),
  },
  brotli_bomb: {
    what: 'a few bytes that unpack to 200 MB (brotli)',
    play: (_, wire) =>
      send(
        text((stored.brotli ??= brotliCompressSync(spaces(200), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })), {
          'content-encoding': 'br',
        }),
        wire,
      ),
  },
  endless_redirects: {
    what: 'every answer sends on to the next address',
    play: ({ number }, wire) => void wire.writeHead(302, { location: `/again/${number}` }).end(),
  },
  headers_of_megabytes: {
    what: 'a header of 5 MB',
    play: raw(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(5 * MEBIBYTE)}\r\ncontent-length: 2\r\n\r\n{}`),
  },
  endless_headers: {
    what: 'headers without an end',
    play: raw('HTTP/1.1 200 OK\r\n', `x-more: ${'a'.repeat(200)}\r\n`),
  },
  endless_hints: { what: 'interim answers without an end', play: raw('', 'HTTP/1.1 103 Early Hints\r\n\r\n') },
  lengths_disagree: {
    what: 'two lengths and chunks besides',
    play: raw(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 900\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ),
  },
  not_http: { what: 'binary in place of HTTP', play: raw('\u0000\u001b[2J\u0001SSH-2.0\r\n') },
  everything_at_once: {
    what: 'every fault of the service, for a third of the requests',
    chaos: 'seed=5,any=0.33,hold_seconds=4,slow_seconds=0.2,retry_after_seconds=0',
  },
};

const statuses: Record<string, Mode> = {
  flapping_401: {
    what: 'every third request is refused with 401',
    play: async (asked, wire) =>
      send(asked.number % 3 === 2 ? text('{"error":"Unauthorized"}', {}, 401) : await asked.honest(), wire),
  },
  wait_for_ever: {
    what: '429 with Retry-After of a thousand years',
    play: always(text('{"error":"slow down"}', { 'retry-after': '31536000000' }, 429)),
  },
  wait_in_words: {
    what: '503 whose Retry-After is negative, huge or no number',
    play: ({ number }, wire) =>
      send(
        text('{}', { 'retry-after': ['-1', '1e99', 'soon', 'Fri, 31 Dec 9999 23:59:59 GMT'][number % 4]! }, 503),
        wire,
      ),
  },
  clock_nonsense: {
    what: 'the header Date is of 1970, of 9999 or no date',
    isWhole: true,
    play: async (asked, wire) => {
      const date = ['Thu, 01 Jan 1970 00:00:00 GMT', 'Fri, 31 Dec 9999 23:59:59 GMT', 'yesterday'][asked.number % 3]!;
      const answer = await asked.honest();
      send({ ...answer, headers: { ...answer.headers, date } }, wire);
    },
  },
  wrong_content_types: {
    what: 'the right JSON as an image, as text/html, without a type',
    isWhole: true,
    play: async (asked, wire) => {
      const answer = await asked.honest();
      send(
        {
          ...answer,
          headers: { ...answer.headers, 'content-type': ['image/png', 'text/html', ''][asked.number % 3]! },
        },
        wire,
      );
    },
  },
};

const bodies: Record<string, Mode> = {
  deep_nesting: { what: 'lists in lists, 200,000 deep', play: always(text(deep)) },
  deep_field: {
    what: 'a field of a chat that nobody knows, 200,000 deep',
    play: rewritten(archive, (body) => body.replace('{"', `{"deep":${deep},"`)),
  },
  nothing_but_null: {
    what: 'every answer is null, [], {} or 0',
    play: ({ number }, wire) => send(text(['null', '[]', '{}', '0', '""'][number % 5]!), wire),
  },
  duplicate_keys: {
    what: 'a page says `chats` twice, the second time without any',
    play: rewritten(archive, (body) => body.replace(/}$/, ',"chats":[]}')),
  },
  giant_numbers: {
    what: 'counts of 1e308, 1e999 and 2^63, and below zero',
    play: rewritten(/^\/reports/, (body, { number }) =>
      body.replaceAll(/:\d+(\.\d+)?/g, `:${['1e308', '1e999', '9223372036854775808', '-5'][number % 4]!}`),
    ),
  },
  negative_durations: {
    what: 'chats that end before they start, and queues of minus five seconds',
    play: chatsWith((chat) =>
      Object.assign(chat, {
        duration: -600,
        queue: { duration: -5 },
        ended_timestamp: Number(chat.started_timestamp) - 600,
      }),
    ),
  },
  year_9999: {
    what: 'chats of the year 9999, and reports of it',
    play: rewritten(/^\/(chats|reports)/, (body) =>
      body.replaceAll(/"started_timestamp":\d+/g, '"started_timestamp":253402300799').replaceAll(/"20\d\d-/g, '"9999-'),
    ),
  },
  year_1: {
    what: 'chats of the year 1, and reports of it',
    play: rewritten(/^\/(chats|reports)/, (body) =>
      body.replaceAll(/"started_timestamp":\d+/g, '"started_timestamp":-62135596800').replaceAll(/"20\d\d-/g, '"0001-'),
    ),
  },
};

const pages: Record<string, Mode> = {
  endless_pages: {
    what: 'there is always another page, of chats never seen',
    play: pagesWith((page, { search }) => {
      const number = Number(search.get('page') ?? 1);
      const [first] = page.chats;
      if (!first) return;
      page.chats = Array.from({ length: 25 }, (_, index) => ({
        ...first,
        id: `P${number}N${index}D${search.get('date_from') ?? ''}`,
      }));
      Object.assign(page, { pages: number + 1, total: 25 * (number + 1) });
    }),
  },
  same_page_for_ever: {
    what: 'a thousand pages that are all the first one',
    play: pagesWith((page) => void Object.assign(page, { pages: 1000, total: 25_000 })),
  },
  page_id_loop: {
    what: 'list_archives: the next page is always this one, and there are a million chats',
    archive: 'agent_v3',
    play: async (asked, wire) => {
      if (!asked.path.endsWith('/list_archives')) return send(await asked.honest(), wire);
      looped ??= await asked.honest();
      const page = JSON.parse(looped.body.toString()) as Json;
      send(text(JSON.stringify({ ...page, next_page_id: 'again', found_chats: 1e6 })), wire);
    },
  },
  totals_that_lie: {
    what: 'totals of a billion, of nothing and of less than there is',
    play: pagesWith(
      (page, { number }) =>
        void Object.assign(page, [{ total: 1e9, pages: 4e7 }, { total: 0, pages: 0 }, { total: 1 }][number % 3]),
    ),
  },
  duplicate_ids: { what: 'every chat has the same id', play: chatsWith((chat) => void (chat.id = 'SAME000001')) },
  odd_ids: {
    what: 'ids that are paths, prototypes, markup and 100 kB long, and __proto__ and its like as every name',
    texts: inherited,
    isWhole: true,
    play: chatsWith((chat, index) => void (chat.id = oddId(chat.id, index))),
  },
  huge_chat: {
    what: 'one chat of 40,000 lines',
    isWhole: true,
    play: pagesWith(({ chats }) => {
      const line = chats[0]?.events[0];
      if (chats[0] && line) chats[0].events = Array.from({ length: 40_000 }, () => line);
    }),
  },
  giant_texts: {
    what: 'a tag of 2 MB and a line of 8 MB',
    play: pagesWith(
      ({ chats: [chat] }) =>
        void (
          chat &&
          Object.assign(chat, {
            tags: ['tag'.repeat(700_000)],
            events: chat.events.map((line, index) => (index ? line : { ...line, text: 'long '.repeat(1_600_000) })),
          })
        ),
    ),
  },
  many_tags: {
    what: 'each chat has two thousand tags of its own, and the list has a hundred thousand',
    play: async (asked, wire) => {
      if (asked.path === '/tags') return send(text(many(100_000, (index) => ({ ...tag, name: `tag ${index}` }))), wire);
      await chatsWith((chat) => void (chat.tags = Array.from({ length: 2000 }, (_, index) => `${chat.id} ${index}`)))!(
        asked,
        wire,
      );
    },
  },
  many_agents: {
    what: 'a list of twenty million characters of agents',
    play: listed('/agents', () => many(200_000, (index) => ({ ...agent, login: `agent${index}@example.com` }))),
  },
  many_groups: {
    what: 'two hundred groups',
    play: listed('/groups', () =>
      many(200, (index) => ({ id: index, name: `group ${index}`, language: 'en', agents: [], status: 'offline' })),
    ),
  },
};

const tag = { author: 'a', creation_date: 1, count: { inChats: 1, inTickets: 1 }, group: 0 };
const agent = {
  name: 'a',
  permission: 'normal',
  avatar: '',
  job_title: '',
  login_status: 'accepting chats',
  status: 'offline',
  last_logout: 0,
  daily_summary: 1,
  notifications: {},
  max_chats_count: 6,
  group_ids: [],
};

const content: Record<string, Mode> = {
  inherited_names: {
    what: '__proto__, constructor, toString and their like as every name there is',
    texts: inherited,
    isWhole: true,
  },
  control_characters: {
    what: 'escape sequences, line ends, tabs and a bell in every name',
    texts: [
      '\u001b[2J\u001b[31mred',
      'one\r\ntwo\nthree',
      'tab\there\u0007\u0008',
      '\u009b5mC1',
      '\u001b]0;title\u0007',
    ],
    isWhole: true,
  },
  right_to_left: {
    what: 'overrides, isolates and marks that turn text round',
    texts: [
      '\u202egnp.exe',
      '\u2067abc\u2069\u2066',
      'مرحبا \u202d123',
      '\u200f\u200e\u061c',
      'e\u0301\u0302\u0303'.repeat(20),
    ],
    isWhole: true,
  },
  nul_letters: { what: 'NUL in every name', texts: ['a\u0000b', '\u0000', 'end\u0000'] },
  lone_surrogates: {
    what: 'halves of surrogate pairs in every name',
    texts: ['half \ud800', '\udfff half', 'two \ud83d\ud83d'],
  },
  markup: {
    what: 'scripts, images and entities in every name',
    texts: [
      '</script><script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '&lt;b&gt;',
      '{@html x}{{x}}${x}',
      "');drop table chats;--",
    ],
    isWhole: true,
  },
  formulas: {
    what: 'formulas of spreadsheets in every name',
    texts: ['=cmd|calc!A1', '+1+1', '-2+3', '@SUM(1)', '\t=1+1', 'a;=1+1'],
    isWhole: true,
  },
  typesetting: {
    what: 'commands of the typesetter in every name',
    texts: [
      '#set page(fill: red)',
      '*b* _i_ $1/0$ `raw` <l> @ref',
      '#panic("x")',
      '// /* ]}) \\',
      '#include "/etc/passwd"',
    ],
    isWhole: true,
  },
};

export const modes: Readonly<Record<string, Mode>> = { ...content, ...bodies, ...pages, ...statuses, ...transport };
export const textsOf = ({ texts = ordinary }: Mode): readonly string[] => texts;
