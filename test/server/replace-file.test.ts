// A small file that several programs replace is always one of the texts that were written, and nothing is left beside it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { replaceFile } from '#server/replace-file.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'replaced-'));

it('is for its owner alone where that is asked, and the newest text counts', () => {
  const file = join(folder(), 'it.json');
  replaceFile(file, 'one', { mode: 0o600 });
  replaceFile(file, 'two', { mode: 0o600, flush: true });
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['two', 0o600]);
});

it('what cannot take the place of the old leaves nothing beside it', () => {
  const place = folder();
  mkdirSync(join(place, 'it.json', 'full'), { recursive: true });
  expect(() => replaceFile(join(place, 'it.json'), 'new')).toThrow(/EISDIR|ENOTEMPTY|EEXIST|EPERM/);
  expect(readdirSync(place)).toEqual(['it.json']);
});

it('what a killed process left beside it long ago goes; what is being written, or belongs to another file, stays', () => {
  const place = folder();
  const gone = ['it.json.37.new', 'it.json.new'];
  const old = ['other.json.37.new', 'it.json.bak', 'it.json.x.new'];
  for (const name of [...gone, ...old, 'it.json.38.new']) writeFileSync(join(place, name), 'half');
  const hour_ago = Date.now() / 1000 - 3600;
  for (const name of [...gone, ...old]) utimesSync(join(place, name), hour_ago, hour_ago);
  replaceFile(join(place, 'it.json'), 'whole');
  expect(readdirSync(place).sort()).toEqual(['it.json', 'it.json.38.new', ...old].sort());
});

it('three processes at once: every reader finds a whole text', async () => {
  const file = join(folder(), 'it.json');
  replaceFile(file, '"first"');
  const module = resolve('src/server/replace-file.ts');
  const writing = `const { replaceFile } = await import(${JSON.stringify(module)});
    for (let n = 0; n < 400; n += 1) replaceFile(${JSON.stringify(file)}, JSON.stringify(String(n).repeat(20_000)));`;
  const writers = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', writing]));
  let said = '';
  for (const { stderr } of writers) stderr.on('data', (text: Buffer) => (said += text.toString()));
  let isOver = false;
  const ended = Promise.all(writers.map((writer) => once(writer, 'close'))).finally(() => (isOver = true));
  let read = 0;
  for (; !isOver; read += 1) {
    expect(() => void JSON.parse(readFileSync(file, 'utf8'))).not.toThrow();
    await turn();
  }
  expect([await ended, said]).toEqual([writers.map(() => [0, null]), '']);
  expect(read).toBeGreaterThan(0);
});
