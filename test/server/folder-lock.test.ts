// Locks of folders: of a process that is gone, of another machine, and of one that says nothing any more.
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { lockFolder, lockText, said_ms } from '../../src/server/folder-lock.ts';
import { newFolder } from './program.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** `happen` runs while somebody looks whether the process of a lock lives, before the answer, which is that it is gone. */
function whileLooking(happen: (look: number) => void): void {
  let looks = 0;
  vi.spyOn(process, 'kill').mockImplementation(() => {
    happen((looks += 1));
    throw Object.assign(new Error('no such process'), { code: 'ESRCH' });
  });
}

const deadLock = (): string => JSON.stringify({ pid: 2 ** 30, host: hostname() });

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

test('a lock that another takes over while its process is looked for is left to the other, at each look', () => {
  for (const look of [1, 2]) {
    const file = join(newFolder(), 'lock');
    writeFileSync(file, deadLock());
    const other = JSON.stringify({ pid: 37, host: 'another' });
    let looked = 0;
    whileLooking((now) => {
      looked = now;
      if (now === look) writeFileSync(file, other);
    });
    expect(() => lockFolder(file)).toThrow(/in use by process 37 of another/);
    expect([looked, readFileSync(file, 'utf8')]).toEqual([look, other]);
  }
});

test('a lock that is let go while its process is looked for is taken', () => {
  const file = join(newFolder(), 'lock');
  writeFileSync(file, deadLock());
  whileLooking(() => rmSync(file, { force: true }));
  const unlock = lockFolder(file);
  expect(readFileSync(file, 'utf8')).toBe(lockText());
  unlock();
});

test('one at a time removes a lock that was left, unless whoever began to is gone for long', () => {
  const folder = newFolder();
  const file = join(folder, 'lock');
  const removing = `${file}.removing`;
  writeFileSync(file, deadLock());
  writeFileSync(removing, JSON.stringify({ pid: 37, host: 'another' }));
  minutesAgo(removing, 14);
  expect(() => lockFolder(file)).toThrow(/in use by process 37 of another/);
  expect(readFileSync(file, 'utf8')).toBe(deadLock());
  minutesAgo(removing, 16);
  const unlock = lockFolder(file);
  expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([lockText(), ['lock']]);
  unlock();
});

test('whoever was silent, and whose lock another took over, lets go nothing', () => {
  const file = join(newFolder(), 'lock');
  const unlock = lockFolder(file);
  const other = JSON.stringify({ pid: 37, host: 'another' });
  writeFileSync(file, other);
  unlock();
  expect(readFileSync(file, 'utf8')).toBe(other);
});

test('a link to nothing in the place of a lock is refused, with what to remove', () => {
  const file = join(newFolder(), 'lock');
  symlinkSync('nothing', file);
  expect(() => lockFolder(file)).toThrow(`if there is no such process, remove ${file}`);
});
