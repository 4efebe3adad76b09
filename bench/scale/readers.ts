// Fifty readers who open overview, queue and agents in turn, each with their own filters, over a month and over a year.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import { lateQuestions } from './late.ts';
import type { Running } from './served.ts';

export interface Fared {
  pages: number;
  /** Answered with 503: retried at the given time. */
  refused: number;
  /** Neither a page nor a refusal. */
  failed: number;
  /** Milliseconds, 95th percentiles; a page is complete once its late answers have arrived too. */
  first_byte: number;
  whole: number;
  light: number;
  most_mb: number;
}

const readers = 50;
const paths = ['/', '/queue', '/agents'];

const p95 = (times: readonly number[]): number =>
  [...times].sort((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? NaN;

const filtersOf = (reader: number): string =>
  [`agent=agent${String(reader).padStart(3, '0')}%40example.com`, `group=${reader % 20}`, `tag=tag-${reader % 40}`][
    reader % 3
  ] ?? '';

/** `ranges`: the beginnings of queries. Every reader opens each page over each range once. */
export async function readersOf({ url, memory_mb }: Running, ranges: readonly string[]): Promise<Fared> {
  const browsers: Agent[] = [];
  /** Each reader has the connections of one browser, and so does who asks the light question. */
  const newBrowser = (): Agent => {
    const browser = new Agent({ connections: 6, headersTimeout: 300_000, bodyTimeout: 300_000 });
    browsers.push(browser);
    return browser;
  };
  const read = async <T>(path: string): Promise<T> => (await (await fetch(url + path)).json()) as T;
  const { metrics } = await read<{ metrics: Metric[] }>('/api/metrics');
  const { accounts } = await read<{ accounts: Account[] }>('/api/accounts?tags=1');
  const since = accounts[0]?.since ?? '';
  const fared = { pages: 0, refused: 0, failed: 0, most_mb: 0 };
  const times = { first: [] as number[], whole: [] as number[], light: [] as number[] };
  const page = async (address: string, dispatcher: Agent): Promise<void> => {
    const began = performance.now();
    for (;;) {
      const { statusCode, headers, body } = await request(url + address, {
        dispatcher,
        headers: { accept: 'text/html' },
      });
      const first = performance.now() - began;
      const html = await body.text();
      if (statusCode === 503) {
        fared.refused += 1;
        await pause(1000 * Number(headers['retry-after'] ?? 1));
        continue;
      }
      if (statusCode !== 200) fared.failed += 1;
      fared.pages += 1;
      times.first.push(first);
      for (const questions of await lateQuestions(html, address, metrics, since))
        await Promise.all(questions.map((asked) => late(asked, url + address, dispatcher)));
      times.whole.push(performance.now() - began);
      return;
    }
  };
  /** Retries refused requests, as a browser does. */
  const late = async (address: string, referer: string, dispatcher: Agent): Promise<void> => {
    for (;;) {
      const { statusCode, headers, body } = await request(url + address, { dispatcher, headers: { referer } });
      await body.dump({ limit: 100_000_000 });
      // Questions that a filter rules out are refused with a reason, which the panel shows.
      if (statusCode !== 503) return void (fared.failed += Number(statusCode !== 200 && statusCode !== 400));
      fared.refused += 1;
      await pause(1000 * Number(headers['retry-after'] ?? 1));
    }
  };
  let isOver = false;
  const light = async (): Promise<void> => {
    const dispatcher = newBrowser();
    for (let count = 0; !isOver; count += 1) {
      const began = performance.now();
      const day = new Date(Date.now() - (1 + (count % 300)) * 86_400_000).toISOString().slice(0, 10);
      const asked = await request(`${url}/api/metrics/total_chats?from=${day}&to=${day}&grain=total`, { dispatcher });
      await asked.body.dump();
      if (asked.statusCode !== 200) fared.failed += 1;
      times.light.push(performance.now() - began);
      fared.most_mb = Math.max(fared.most_mb, memory_mb());
      await pause(100);
    }
  };
  const beside = light();
  await Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      const browser = newBrowser();
      for (const range of ranges)
        for (let turn = 0; turn < paths.length; turn += 1)
          await page(`${paths[(reader + turn) % paths.length]}?${range}&${filtersOf(reader)}`, browser);
    }),
  );
  isOver = true;
  await beside;
  await Promise.all(browsers.map((browser) => browser.close()));
  return { ...fared, first_byte: p95(times.first), whole: p95(times.whole), light: p95(times.light) };
}
