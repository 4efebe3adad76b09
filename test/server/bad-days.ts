// Every fault of an operator's bad day: where it is played, and what the operator must be told on every door.
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chaosPlan } from '#service/chaos/plan.ts';
import type { FaultName } from '#service/chaos/faults.ts';
import { reports, type ReportId } from '#contract/reports.ts';
import { startService, type Service } from '#service/service.ts';
import { thirdOfSmallWorld } from '../livechat/service/small-world.ts';
import type { FailedState } from '#api/contract/pulls.ts';
import { newFolder, runNode, runToEnd, type Ended } from './program.ts';

export interface Trouble {
  fault: FaultName;
  /** Of this report, the question for the whole account by day; or the question that `path` names. */
  source: ReportId | 'archive' | 'account.tags' | 'account.greetings';
  path?: (days: Days) => string;
  state: FailedState;
  /** What happened, in the words of the error. */
  why: RegExp;
  /** What to do. */
  remedy: RegExp;
}

/** A record that is set aside while everything else of its answer is used. */
export interface SetAside {
  fault: FaultName;
  source: string;
  path: (days: Days) => string;
  why: RegExp;
}

/** Local days of the account, those with most chats first: on weekends and holidays there are too few for a second page. */
type Days = readonly string[];

const network = /^Nothing: it is asked again\. If it stays, look at the network/;
const theirs = /^Nothing: the fault is the service’s, and it is asked again/;
const proxy =
  /^Nothing: the answer is kept as received, and it is asked again\. If it stays, ask whoever runs the service/;
const rebuild = /asked again\. If it stays, update this program and run: npx chatledger rebuild$/;
/** A page of the archive: `place` is that of its day. Whatever day it is, three of the last seven have three pages, and a fourth has two. */
const page =
  (place: number, number: number) =>
  (days: Days): string =>
    `/chats?*date_from=${days[place]}*${number > 1 ? `&page=${number}` : ''}`;

const failed = (
  fault: FaultName,
  source: Trouble['source'],
  why: RegExp,
  remedy: RegExp,
  differs: Partial<Trouble> = {},
): Trouble => ({ fault, source, state: 'failed', why, remedy, ...differs });
const aside = (
  fault: FaultName,
  source: Trouble['source'],
  why: RegExp,
  remedy: RegExp,
  path?: Trouble['path'],
): Trouble => failed(fault, source, why, remedy, { state: 'quarantined', ...(path ? { path } : {}) });
const shifted = (fault: FaultName, path: Trouble['path']): Trouble =>
  failed(fault, 'archive', /\d+ of \d+ chats of \S+ were reached: the pages shifted/, /the day is read again/, {
    ...(path ? { path } : {}),
  });

/** Nothing came, or a no: with every try of the same question. */
export const silences: readonly Trouble[] = [
  failed('silence', 'total_chats', /^no answer from http:\S+: it took the question and stayed silent/, network),
  failed('reset', 'engagement', /^no answer from http:\S+: the connection was (reset|closed)/, network),
  failed('hang_up', 'not_replied_chats', /^no answer from http:\S+: the connection was closed before/, network),
  failed('not_http', 'chat_ratings', /^no answer from http:\S+: what answers does not speak HTTP/, network),
  failed('cut_body', 'queued_visitors', /^the answer to \/reports\S+ broke off/, network),
  failed('stall', 'waiting_times', /^the answer to \/reports\S+ took longer than/, network),
  failed('408', 'availability', /was answered with 408/, theirs),
  failed('425', 'chatting_time', /was answered with 425/, theirs),
  failed('429', 'first_response_time', /was answered with 429/, /^Nothing: the pull slows down by itself/),
  failed('429_date', 'response_time', /was answered with 429/, /^Nothing: the pull slows down by itself/),
  failed('500', 'greetings', /was answered with 500: Internal Server Error/, theirs),
  failed('503', 'new_tickets', /was answered with 503: Service Unavailable/, theirs),
  failed('html_502', 'ticket_first_response_time', /was answered with 502: an HTML page/, theirs),
  failed('302', 'solved_tickets', /was answered with 302/, /^Check the address of the account/),
  failed('403', 'ticket_resolution_time', /403: Not in your plan/, /its owner can add it to the plan/, {
    state: 'not_in_plan',
  }),
  failed('404', 'ticket_sources', /was answered with 404/, /does not offer this any more/, { state: 'gone' }),
  failed('410', 'ticket_ratings', /was answered with 410/, /does not offer this any more/, { state: 'gone' }),
];

/** Something came that cannot be used as it is. */
export const oddities: readonly Trouble[] = [
  aside('204', 'total_chats', /was answered with 204/, proxy),
  aside('truncated', 'engagement', /is no whole JSON/, proxy),
  aside('empty', 'not_replied_chats', /is empty/, proxy),
  aside('not_json', 'chat_ratings', /is no whole JSON/, proxy),
  aside('html', 'queued_visitors', /is an HTML page/, /such as a proxy or a page to log in at/),
  aside('error_200', 'waiting_times', /was answered with 200 and an error: /, proxy),
  aside('not_utf8', 'account.greetings', /is no text: a byte of it is no UTF-8/, proxy, () => '/greetings'),
  aside('large', 'chatting_time', /is larger than 16 MB/, proxy),
  aside('gzip_broken', 'response_time', /cannot be unpacked/, proxy),
  aside('gzip_bomb', 'availability', /unpacks to more than 100 times its size/, proxy),
  aside('wrong_type', 'new_tickets', /expected|Invalid/i, rebuild),
  aside('missing_field', 'solved_tickets', /expected|Invalid/i, rebuild),
  aside('negative_number', 'ticket_sources', /Too small|>=\s?0|negative/i, rebuild),
  aside('huge_number', 'ticket_ratings', /cannot be \d+/, rebuild),
  aside('null_seconds', 'first_response_time', /a mean over \d+ is missing/, rebuild),
  failed('missing_period', 'ticket_resolution_time', /does not name this day/, /the service leaves it out/),
  shifted('page_repeated', page(1, 2)),
  shifted('page_shifted', page(0, 3)),
  failed(
    'html',
    'archive',
    /1 pages could not be read, the first because .* is an HTML page/,
    /missing pages are asked/,
    {
      path: page(2, 2),
    },
  ),
];

export const strangeRecords: readonly SetAside[] = [
  {
    fault: 'future_times',
    source: 'archive',
    path: page(3, 2),
    why: /said to start at 20\d\d-.+Z, far from the day that was asked/,
  },
  { fault: 'ends_before_start', source: 'archive', path: page(3, 1), why: /ended before it started/ },
  { fault: 'missing_field', source: 'account.tags', path: () => '/tags', why: /expected|Invalid/i },
];

/** What is over with the next try, or means the same: nothing that anybody must be told. */
export const passing =
  'seed=3,passing=0.15,harmless=0.1,misdirected_request@/reports/chats/total_chats,no_messages@/chats?*page=2';

const key = 'ab'.repeat(16);

export interface BadAccount {
  service: Service;
  days: Days;
  /** One pull by the program into a folder of its own. */
  pull(plan: string | object, only: readonly string[], json?: boolean): Promise<Ended & { folder: string }>;
  settings: Record<string, string>;
  close(): Promise<void>;
}

/** Scripted so that every try of the question meets its fault. */
export const planOf = (troubles: readonly (Trouble | SetAside)[], days: Days): object => ({
  script: troubles.map(({ fault, source, path }) => ({
    ...{ fault, times: 1_000_000 },
    path: path?.(days) ?? `${reports[source as ReportId].path}?*group_by=day`,
  })),
});

const impatient = join(import.meta.dirname, 'impatient.ts');

async function busiestFirst({ url, firstDay }: Service): Promise<Days> {
  const authorization = `Basic ${Buffer.from(`owner@example.com:${key}`).toString('base64')}`;
  const chats: [day: string, total: number][] = [];
  for (let index = 0; index < 7; index += 1) {
    const day = new Date(Date.parse(`${firstDay}T00:00:00Z`) + index * 86_400_000).toISOString().slice(0, 10);
    const answer = await fetch(`${url}/chats?date_from=${day}&date_to=${day}&timezone=UTC`, {
      headers: { authorization, 'x-api-version': '2' },
    });
    chats.push([day, ((await answer.json()) as { total: number }).total]);
  }
  return chats.sort(([, one], [, other]) => other - one).map(([day]) => day);
}

/** An account that lives now, like one that an operator has. */
export async function badAccount(): Promise<BadAccount> {
  const service = await startService({
    file: join(newFolder(), 's.sqlite'),
    days: 7,
    port: 0,
    apiKey: key,
    world: thirdOfSmallWorld,
  });
  const days = await busiestFirst(service);
  const settings = {
    ...{ CHATLEDGER_BASE_URL: service.url, CHATLEDGER_LOGIN: 'owner@example.com', CHATLEDGER_API_KEY: key },
    ...{ CHATLEDGER_REQUESTS_PER_SECOND: '1000', CHATLEDGER_SINCE: service.firstDay },
  };
  return {
    ...{ service, days, settings },
    async pull(plan, only, json = false) {
      const common = { hold_seconds: 5, slow_seconds: 0.05, retry_after_seconds: 0 };
      const parts = Object.entries(common).map(([name, value]) => `${name}=${value}`);
      service.chaos.follow(chaosPlan(typeof plan === 'string' ? [plan, ...parts].join() : { ...common, ...plan }));
      const folder = newFolder();
      const words = [`--only=${only.join()}`, ...(json ? ['--json'] : [])];
      const ended = await runNode([impatient, ...words], settings, folder);
      return { ...ended, folder };
    },
    close: () => service.close(),
  };
}

/** A pull of four accounts of which one is well: one has a wrong key, one no name, one no secure connection. */
export async function severalAccounts({ service, settings }: BadAccount) {
  const folder = newFolder();
  const plain = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const since = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const own = { login: 'owner@example.com', api_key_env: 'GOOD', since, requests_per_second: 1000 };
  const secure = `https://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  const accounts = [
    { ...own, id: 'good', base_url: service.url },
    { ...own, id: 'refused', base_url: service.url, api_key_env: 'BAD' },
    { ...own, id: 'nameless', base_url: 'http://no-such-host.invalid' },
    { ...own, id: 'insecure', base_url: secure },
  ];
  writeFileSync(join(folder, 'chatledger.json'), JSON.stringify({ accounts }));
  const secrets = { GOOD: settings.CHATLEDGER_API_KEY ?? '', BAD: 'no-key' };
  service.chaos.follow(null);
  const ended = await runToEnd(['pull', '--only', 'total_chats,archive'], secrets, folder);
  await new Promise((resolve) => plain.close(resolve));
  return { ...ended, folder, settings: secrets };
}

/** The reports that a table is about, and the archive. */
export const onlyOf = (troubles: readonly Trouble[]): string[] => [
  ...new Set(troubles.map(({ source }) => source).filter((source) => !source.startsWith('account.'))),
];
