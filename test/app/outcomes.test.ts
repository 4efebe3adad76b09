// What came of a call: an answer that is expected with an odd status, and an error that has the same status.
import { expect, it } from 'vitest';
import { call } from '#lib/api.ts';

const answering =
  (status: number, body: object): typeof fetch =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status }));

it('an accepted status is an answer, but never with an error in its body', async () => {
  const health = { status: 'starting', snapshot: null, pull: { running: true } };
  const ask = (body: object) => call(answering(503, body), 'GET /health', { accepted: [503] });
  expect(await ask(health)).toEqual({ kind: 'answered', answer: health });
  const error = { type: 'unavailable', message: 'too many questions are asked at the moment' };
  expect(await ask({ error })).toEqual({ kind: 'failed', message: error.message });
});

it('a refusal carries its sentence and its choices', async () => {
  const error = { type: 'not_found', message: 'there is no group 99', choices: ['1', '2'] };
  const refused = { kind: 'refused', status: 404, ...error };
  expect(await call(answering(404, { error }), 'GET /accounts')).toEqual(refused);
});

it('nothing at all, and what is not of the API, is no answer: only a call that is done has none', async () => {
  const ask = (status: number, body: string | null) =>
    call(() => Promise.resolve(new Response(body, { status })), 'DELETE /views/{id}', { params: { id: '1' } });
  expect(await ask(204, null)).toEqual({ kind: 'answered', answer: null });
  for (const body of ['', 'null', '<p>a proxy</p>'])
    expect(await ask(200, body)).toEqual({ kind: 'failed', message: 'The server gave no usable answer (200).' });
});
