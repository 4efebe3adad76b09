// Restatements over HTTP: which past numbers changed between two snapshots, by how much and because of which chats.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import { restatements } from '#reports/restatements/restate.ts';
import { Refused } from '#warehouse/errors.ts';
import { metricOf } from '#warehouse/metrics.ts';
import { snapshotOf, type Answers } from './answers.ts';
import type { Door, ShelvedSnapshot } from './door.ts';
import { ErrorBody } from './errors.ts';
import { accountOf } from './metrics.ts';
import { openNamed } from './moment.ts';

const Parameters = z.object({
  from_snapshot: z.string().optional().openapi({ description: 'Default: the oldest of the last 7 days' }),
  to_snapshot: z.string().optional().openapi({ description: 'Default: the current one' }),
  metric: z.string().optional().openapi({ description: 'Default: every metric' }),
  account: z.string().optional(),
});

const Which = z.object({ id: z.string(), published_at: z.iso.datetime() });

const Answer = z
  .object({
    from_snapshot: Which,
    to_snapshot: Which,
    account: z.string(),
    timezone: z.string(),
    restatements: z.array(
      z.object({
        metric: z.string(),
        period: z.string(),
        split: z.string().openapi({ description: 'account, or what the cell is a part by' }),
        split_value: z.string(),
        measure: z.string(),
        was: z.number().nullable(),
        is: z.number().nullable(),
        difference: z.number().nullable(),
        chats: z.array(
          z.object({
            chat_id: z.string(),
            what: z.array(z.string()).openapi({
              description:
                'new, gone, times, rating, tags, goals, messages, agents, groups, queue, engagement, visitor, other',
            }),
          }),
        ),
        more_chats: z.int().openapi({ description: 'Changed chats that are not listed' }),
      }),
    ),
  })
  .openapi('Restatements');

const names = Object.keys(Parameters.shape);
const week_ms = 7 * 86_400_000;

function only(search: URLSearchParams, name: string): string | undefined {
  const values = search.getAll(name);
  if (values.length > 1) throw new Refused(name, `${name} is given ${values.length} times, it takes one value`);
  return values[0];
}

async function pair(door: Door, search: URLSearchParams): Promise<[ShelvedSnapshot, ShelvedSnapshot]> {
  const current = snapshotOf(door).id;
  const kept = await door.shelf.list();
  const ids = kept.map(({ id }) => id);
  const named = (name: string, standard: string | undefined): ShelvedSnapshot => {
    const id = only(search, name) ?? standard;
    const found = kept.find((snapshot) => snapshot.id === id);
    if (!found) throw new Refused(name, `there is no snapshot ${id ?? ''}: GET /api/snapshots lists them`, ids);
    return found;
  };
  const since = door.clock() - week_ms;
  const oldest = kept.find(({ published_at }) => Date.parse(published_at) >= since);
  const [from, to] = [named('from_snapshot', oldest?.id ?? current), named('to_snapshot', current)];
  if (from.id > to.id)
    throw new Refused('from_snapshot', `from_snapshot=${from.id} is newer than to_snapshot=${to.id}: swap them`);
  return [from, to];
}

export function addRestatements(app: OpenAPIHono, door: Door, answers: Answers): void {
  const problem = (description: string) => ({ description, content: { 'application/json': { schema: ErrorBody } } });
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/restatements',
    summary: 'Past numbers that changed between two snapshots, by how much and because of which chats',
    request: { query: Parameters },
    responses: {
      200: {
        description: 'One row per changed measure of a cell',
        content: { 'application/json': { schema: Answer } },
      },
      304: { description: 'What you have is still right' },
      400: problem('There is no such snapshot'),
      404: problem('There is no such metric'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/restatements', async (c) => {
    const { searchParams: search } = new URL(c.req.url);
    const unknown = [...search.keys()].find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Refused(unknown, `there is no parameter ${unknown}, only ${names.join(', ')}`, names);
    const metric = only(search, 'metric');
    const wanted = metric === undefined ? undefined : [metricOf(metric)];
    const { id: account, timezone } = accountOf(door, only(search, 'account'));
    const [from, to] = await pair(door, search);
    const question = `restatements ${account} ${metric ?? ''}`;
    // Two snapshots never change: the answer does not depend on the time of day.
    return answers.answerAt(c, `${from.id} ${to.id}`, 0, question, async () => {
      const [older, newer] = await Promise.all([openNamed(door, from.id), openNamed(door, to.id)]);
      const found = from.id === to.id ? [] : await restatements(older, newer, { account, timezone }, wanted);
      const which = ({ id, published_at }: ShelvedSnapshot) => ({ id, published_at });
      return { from_snapshot: which(from), to_snapshot: which(to), account, timezone, restatements: found };
    });
  });
}
