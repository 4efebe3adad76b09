// Documents are made in a process of its own: the same bytes, replaced in time, bounded, and nothing left of it.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { bytesOf, type RenderJob } from '#digests/render/job.ts';
import { endRenderer, rendered, RendererBusy } from '#digests/render/renderer.ts';
import { Cancelled, withSignal } from '#warehouse/cancellation.ts';
import { join } from 'node:path';
import { testInDrill } from '../chance.ts';
import { runNode } from '../server/program.ts';
import { job } from './small-document.ts';

afterAll(endRenderer);

/** Processes of this one that make documents. */
const workers = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((id) => {
      try {
        const [, parent] = /^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
        return (
          Number(parent) === process.pid && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('render/worker.ts')
        );
      } catch {
        return false; // it ended meanwhile
      }
    });

it('the bytes are those that this process would make, whichever process makes them', async () => {
  const own = Buffer.from(await bytesOf(job(3)));
  expect(Buffer.from(await rendered(job(3))).equals(own)).toBe(true);
  endRenderer();
  expect(Buffer.from(await rendered(job(3))).equals(own)).toBe(true);
});

testInDrill('after fifty documents another process goes on', async () => {
  await rendered(job(0));
  const [first] = workers();
  for (let count = 0; count < 55; count++) await rendered(job(count));
  const [second] = workers();
  expect([first, second].every(Boolean)).toBe(true);
  expect(second).not.toBe(first);
});

it('a program that does nothing else makes all of its documents, also when the process has to be replaced', async () => {
  const ended = await runNode([join(import.meta.dirname, 'making.ts'), '52'], {}, import.meta.dirname);
  expect(ended).toEqual({ code: 0, said: '52 documents\n', complained: '' });
});

it('too many that wait are refused at once, those who leave are not waited for, and the rest is made', async () => {
  const leaving = new AbortController();
  const kept = [rendered(job(1))];
  const left = Array.from({ length: 10 }, (_, index) => withSignal(leaving.signal, () => rendered(job(index))));
  const ended = Promise.allSettled(left);
  for (let count = 0; count < 14; count++) kept.push(rendered(job(count)));
  await expect(rendered(job(99))).rejects.toThrow(RendererBusy);
  leaving.abort();
  for (const outcome of await ended) expect(outcome).toMatchObject({ reason: expect.any(Cancelled) as Cancelled });
  expect(await Promise.all(kept)).toHaveLength(15);
});

it('a process that dies fails its document only', async () => {
  const [id] = workers();
  const dying = rendered(job(5)).catch((error: unknown) => String(error));
  process.kill(Number(id), 'SIGKILL');
  expect(await dying).toContain('ended unexpectedly');
  expect((await rendered(job(6))).length).toBeGreaterThan(1000);
});

it('a document that cannot be made says why', async () => {
  const broken = { format: 'pdf', document: { sections: 3 } } as unknown as RenderJob;
  await expect(rendered(broken)).rejects.toThrow('sections');
});
