// One suite for every server of the 21 reports: shapes, labels, zero-filling, clipped months, refusals, JSONP and zones.
// It knows nothing of the records behind the server, only that the last three weeks hold some.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorWords } from '#contract/errors.ts';
import { groupings, labels, reportIds, reports, type Grouping, type ReportId } from '#contract/reports.ts';

export interface Server {
  /** Everything before `/reports`. */
  url: string;
  /** What makes a request known to the server. */
  headers: Record<string, string>;
  close(): Promise<void>;
}

type Answer = Record<string, Record<string, unknown>>;

const dayBefore = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const [from, to] = [dayBefore(20), dayBefore(1)];
const zone = 'UTC';
const byPeriod = reportIds.filter((id) => reports[id].keyed === 'period');
const clipped = byPeriod.filter((id) => reports[id].clipped);
const rankings = reportIds.filter((id) => reports[id].keyed === 'ranking');

/** Labels that an answer must have, in order. */
function expected(grouping: Grouping, first: string, last: string): string[] {
  if (grouping === 'hour') return Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}:00`);
  const days: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return grouping === 'day' ? days : [...new Set(days.map((day) => day.slice(0, 7)))];
}

/** Adds the whole suite under `name`; `start` is called once. */
export function answersCase(name: string, start: () => Promise<Server>): void {
  describe(`the reports of ${name}`, () => {
    let server: Server;
    beforeAll(async () => {
      server = await start();
    });
    afterAll(() => server.close());

    const request = (id: ReportId, query: string) =>
      fetch(`${server.url}${reports[id].path}?${query}`, { headers: server.headers });
    const ask = async (id: ReportId, query: string): Promise<Answer> => {
      const answer = await request(id, query);
      expect([id, answer.status]).toEqual([id, 200]);
      return (await answer.json()) as Answer;
    };
    const range = (grouping: Grouping, first = from) =>
      `date_from=${grouping === 'hour' ? to : first}&date_to=${to}&group_by=${grouping}&timezone=${zone}`;

    describe.each(groupings)('grouped by %s', (grouping) => {
      it.each(byPeriod)('%s has every label in order and the shape of the contract', async (id) => {
        const answer = await ask(id, range(grouping));
        expect(Object.keys(answer)).toEqual(expected(grouping, from, to));
        for (const [label, each] of Object.entries(answer)) {
          expect(label).toMatch(labels[grouping]);
          expect(reports[id].each.parse(each)).toEqual(each);
        }
      });
      it.each(byPeriod)('%s of the future is zero', async (id) => {
        const days = `date_from=${dayBefore(-5)}&date_to=${dayBefore(grouping === 'hour' ? -5 : -9)}`;
        const answer = await ask(id, `${days}&group_by=${grouping}&timezone=${zone}`);
        const numbers = JSON.stringify(Object.values(answer)).match(/:(-?\d[\d.]*|null|\d)/g) ?? [];
        expect(new Set(numbers.filter((text) => text !== ':null'))).toEqual(new Set([':0']));
      });
    });

    it.each(clipped)('%s clips its months to what was asked, and says so at month grouping only', async (id) => {
      const first = dayBefore(45);
      const months = Object.values(await ask(id, range('month', first)));
      expect([months[0]!.begin, months.at(-1)!.end]).toEqual([first, to]);
      expect(months.at(-1)!.begin).toBe(months.length === 1 ? first : `${to.slice(0, 7)}-01`);
      for (const each of Object.values(await ask(id, range('day')))) expect(each).not.toHaveProperty('begin');
    });
    it.each(byPeriod)('%s is hours of one day, days of several, months of a single day', async (id) => {
      const one = `date_from=${to}&date_to=${to}&timezone=${zone}`;
      expect(Object.keys(await ask(id, one))).toHaveLength(24);
      expect(Object.keys(await ask(id, `date_from=${from}&date_to=${to}&timezone=${zone}`))).toHaveLength(20);
      expect(Object.keys(await ask(id, `${range('day')}&group_by=hour`))).toEqual(expected('day', from, to));
      expect(Object.keys(await ask(id, `${one}&group_by=month`))).toEqual([to.slice(0, 7)]);
    });
    it.each(rankings)('%s is a list, highest score first, ties by login', async (id) => {
      const { ranking } = await ask(id, range('day'));
      const rows = z.array(reports[id].each as typeof reports.chat_ranking.each).parse(ranking);
      for (const { good, bad, total } of rows) expect(total).toBe(good + bad);
      const sorted = [...rows].sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
      expect(rows).toEqual(sorted);
    });
    it('agents_occupancy has the 96 hours of the last four such weekdays', async () => {
      const answer = (await ask('agents_occupancy', `weekday=wed&timezone=${zone}`)) as unknown as Record<
        string,
        number
      >;
      const days = [...new Set(Object.keys(answer).map((label) => label.slice(0, 10)))];
      expect([Object.keys(answer).length, days.length]).toEqual([96, 4]);
      for (const label of Object.keys(answer)) expect(label).toMatch(labels.moment);
      expect(days.map((date) => new Date(date).getUTCDay())).toEqual([3, 3, 3, 3]);
      expect(days[3]! > dayBefore(8) && days[3]! <= dayBefore(-1)).toBe(true);
      expect(z.array(reports.agents_occupancy.each).safeParse(Object.values(answer)).success).toBe(true);
    });

    describe('numbers agree with each other', () => {
      it('day by day: engagement and ratings with all chats, queued with left and entered', async () => {
        const all = await ask('total_chats', range('day'));
        const engagement = await ask('engagement', range('day'));
        const ratings = await ask('chat_ratings', range('day'));
        const queue = (await ask('queued_visitors', range('day'))) as unknown as Record<
          string,
          Record<'queued' | 'left_queue' | 'entered_chat', { count: number }>
        >;
        for (const [day, { chats }] of Object.entries(all)) {
          const sum = Object.values(engagement[day]!).reduce<number>((total, value) => total + Number(value), 0);
          expect([day, sum, ratings[day]!.chats]).toEqual([day, chats, chats]);
          const { queued, left_queue, entered_chat } = queue[day]!;
          expect(queued.count).toBe(left_queue.count + entered_chat.count);
        }
        expect(Object.values(all).some(({ chats }) => Number(chats) > 0)).toBe(true);
      });
      it('the hours of a day add up to the day', async () => {
        const hours = Object.values(await ask('total_chats', range('hour')));
        const day = (await ask('total_chats', range('day')))[to]!;
        expect(hours.reduce((total, { chats }) => total + Number(chats), 0)).toBe(day.chats);
      });
    });

    it.each(reportIds.filter((id) => id !== 'agents_occupancy'))(
      '%s refuses wrong arguments with words',
      async (id) => {
        for (const wrong of [
          'date_from=INVALID',
          'date_from=1999-12-31',
          'date_from=2026-02-30',
          `date_from=${to}&date_to=${from}`,
          `date_from=${dayBefore(-5)}`,
          'timezone=Nowhere/Here',
          ...(reports[id].keyed === 'period' ? ['group_by=week'] : []),
          ...(reports[id].takes.includes('group') ? ['group=x'] : []),
        ]) {
          const answer = await request(id, wrong);
          expect([wrong, answer.status]).toEqual([wrong, 400]);
          expect(errorWords(await answer.json())).toBeTruthy();
        }
      },
    );
    it('agents_occupancy refuses a missing or wrong weekday', async () => {
      for (const wrong of ['', 'weekday=someday']) expect((await request('agents_occupancy', wrong)).status).toBe(400);
    });
    it('arguments that nobody knows are ignored, and unknown values give zeros', async () => {
      const plain = await ask('total_chats', range('day'));
      expect(await ask('total_chats', `${range('day')}&nothing=1`)).toEqual(plain);
      for (const { chats } of Object.values(await ask('total_chats', `${range('day')}&agent=nobody@example.com`))) {
        expect(chats).toBe(0);
      }
    });
    it('lists may be bracketed, indexed or repeated', async () => {
      const spelled = ['agent=a&agent=b', 'agent[]=a&agent[]=b', 'agents[0]=a&agents[1]=b', 'agent%5B0%5D=a'];
      for (const query of spelled) expect((await request('total_chats', `${range('day')}&${query}`)).status).toBe(200);
    });
    it('an answer is JSONP under a callback, and a bad name is refused', async () => {
      const answer = await request('total_chats', `${range('day')}&callback=a.b$1`);
      expect(answer.headers.get('content-type')).toMatch(/^application\/javascript/);
      const [, body] = /^a\.b\$1\((.*)\);?$/s.exec(await answer.text()) ?? [];
      expect(JSON.parse(body ?? 'null')).toEqual(await ask('total_chats', range('day')));
      expect((await request('total_chats', 'callback=alert(1)')).status).toBe(400);
    });
    it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is not supported, and says so', async (method) => {
      const { headers, url } = server;
      const answer = await fetch(`${url}${reports.total_chats.path}`, { method, headers });
      expect([answer.status, await answer.json()]).toEqual([405, { error: `${method} is not supported here` }]);
    });
    it('the time zone moves chats to other hours, none are lost', async () => {
      const sum = (answer: Answer) => Object.values(answer).reduce((total, { chats }) => total + Number(chats), 0);
      const days = `date_from=${dayBefore(19)}&date_to=${dayBefore(2)}`;
      const hours = `date_from=${dayBefore(3)}&date_to=${dayBefore(3)}&timezone=`;
      const here = await ask('total_chats', `${hours}${zone}`);
      expect(await ask('total_chats', `${hours}America/New_York`)).not.toEqual(here);
      const wider = await ask(
        'total_chats',
        `date_from=${dayBefore(20)}&date_to=${dayBefore(1)}&timezone=America/New_York`,
      );
      expect(sum(await ask('total_chats', `${days}&timezone=${zone}`))).toBeLessThanOrEqual(sum(wider));
    });
  });
}
