// Locks of folders: of a process that is gone, of another machine, and of one that says nothing any more.
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lockFolder, lockText, said_ms } from '../../src/server/folder-lock.ts';
import { newFolder } from './program.ts';

afterEach(() => void vi.useRealTimers());

const minutesAgo = (file: string, minutes: number): void => {
  const then = new Date(Date.now() - minutes * 60_000);
  utimesSync(file, then, then);
};

test('a lock of another machine, or of a process id that another program has now, is taken over once it is silent', () => {
  for (const text of [JSON.stringify({ pid: 37, host: 'replaced-container' }), lockText(), 'cut off']) {
    const folder = newFolder();
    const file = join(folder, 'lock');
    writeFileSync(file, text);
    minutesAgo(file, 14);
    expect(() => lockFolder(file)).toThrow(/in use by/);
    expect(readFileSync(file, 'utf8')).toBe(text);
    minutesAgo(file, 16);
    const unlock = lockFolder(file);
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([lockText(), ['lock']]);
    unlock();
    expect(readdirSync(folder)).toEqual([]);
  }
});

test('whoever has a lock says so each minute, and says nothing for another', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const folder = newFolder();
  const file = join(folder, 'lock');
  const unlock = lockFolder(file);
  minutesAgo(file, 16);
  vi.advanceTimersByTime(said_ms);
  expect(() => lockFolder(file)).toThrow(/in use by process/);
  writeFileSync(file, JSON.stringify({ pid: 37, host: 'another' }));
  minutesAgo(file, 16);
  vi.advanceTimersByTime(2 * said_ms);
  expect(readFileSync(file, 'utf8')).toContain('another');
  lockFolder(file)();
  unlock();
  vi.advanceTimersByTime(said_ms);
  expect(existsSync(file)).toBe(false);
});
