// Saved queries on boards: who may place one, and that a private one of somebody else is refused like a missing one.
import { expect, it } from 'vitest';
import { openDoors } from '../access/api.ts';

it('a board takes a query of those who see and may run it, and nobody else places it', async () => {
  const doors = openDoors(null);
  await doors.userWith('admin');
  const [ann, bob, viewer, ofGroup] = [
    await doors.userWith('analyst', { name: 'Ann' }),
    await doors.userWith('analyst', { name: 'Bob' }),
    await doors.userWith('viewer'),
    await doors.userWith('analyst', { rows: { groups: [1] } }),
  ];
  const as = async ({ cookie }: { cookie: string }, method: string, path: string, body: object) => {
    const answer = await doors.ask(path, { cookie }, { method, body });
    const json = (await answer.json()) as { id: string; panels: object[]; error?: { message: string } };
    return { status: answer.status, body: json, refusal: json.error?.message ?? '' };
  };
  const query = { statement: 'select 1', parameters: {} };
  const own = (await as(ann, 'POST', '/sql/queries', { ...query, name: 'Own' })).body.id;
  const shared = (await as(ann, 'POST', '/sql/queries', { ...query, name: 'Shared', is_shared: true })).body.id;
  const panelOf = (id: string) => ({ panel: `query/${id}`, size: 'half' });
  const place = (who: { cookie: string }, title: string, ...ids: string[]) =>
    as(who, 'POST', '/boards', { title, panels: ids.map(panelOf) });

  const made = await place(ann, 'Mine', own, shared);
  expect([made.status, made.body.panels]).toEqual([200, [panelOf(own), panelOf(shared)]]);
  expect((await place(bob, 'Shared', shared)).status).toBe(200);
  const [foreign, missing] = [await place(bob, 'Foreign', own), await place(bob, 'Missing', 'x')];
  expect([foreign.status, foreign.refusal]).toEqual([400, `there is no saved query ${own}`]);
  expect([missing.status, missing.refusal]).toEqual([400, 'there is no saved query x']);
  for (const who of [viewer, ofGroup]) expect((await place(who, 'Theirs', shared)).status).toBe(403);

  // What stands there may stay after the query is gone.
  expect((await doors.ask(`/sql/queries/${own}`, ann, { method: 'DELETE' })).status).toBe(204);
  const change = { title: 'Mine', panels: [panelOf(shared), panelOf(own)], version: 1 };
  expect((await as(ann, 'PUT', `/boards/${made.body.id}`, change)).status).toBe(200);
});
