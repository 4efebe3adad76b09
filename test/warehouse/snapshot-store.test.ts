// The folder of snapshots: sizes, pins, and what publishing removes.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pin, pins, unpin } from '#warehouse/store/pins.ts';
import {
  fileOf,
  idOf,
  instantOf,
  lostSnapshots,
  standingPins,
  newest,
  storedSnapshots,
  tidy,
} from '#warehouse/store/snapshot-store.ts';

const folders: string[] = [];
function folderWith(instants: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'snapshots-'));
  folders.push(folder);
  mkdirSync(join(folder, 'snapshots'));
  for (const instant of instants) writeFileSync(fileOf(folder, idOf(Date.parse(instant))), 'x'.repeat(100));
  return folder;
}
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const months = ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z', '2026-03-31T10:00:00.123Z'];
const now = Date.parse('2026-03-31T10:00:00.123Z');

describe('the snapshot store', () => {
  it('lists snapshots oldest first with their sizes, and an id says its instant', async () => {
    const folder = folderWith(months);
    writeFileSync(join(folder, 'snapshots', '20260401-000000-000.part'), 'half');
    expect(await storedSnapshots(folder)).toMatchObject([
      { id: '20260131-100000-000', published_at: '2026-01-31T10:00:00.000Z', bytes: 100, pinned: null },
      { id: '20260228-100000-000', bytes: 100 },
      { id: '20260331-100000-123', published_at: '2026-03-31T10:00:00.123Z' },
    ]);
    expect((await newest(folder))?.id).toBe('20260331-100000-123');
    expect(instantOf(idOf(now))).toBe('2026-03-31T10:00:00.123Z');
    expect(await storedSnapshots(join(folder, 'nowhere'))).toEqual([]);
  });

  it('a pinned snapshot goes after all others when the space is gone, and its reason is told', async () => {
    const folder = folderWith(months);
    await pin(folder, '20260131-100000-000', 'digest monday, 2026-02-02');
    await pin(folder, '20260131-100000-000', 'digest board, January');
    expect((await storedSnapshots(folder))[0]?.pinned).toBe('digest board, January');
    expect(await tidy(folder, now, 200)).toEqual(['20260228-100000-000']);
    expect((await lostSnapshots(folder))?.pinned).toEqual([]);
    expect(await tidy(folder, now, 100)).toEqual(['20260131-100000-000']);
    expect(await lostSnapshots(folder)).toEqual({
      ...{ count: 2, first: '2026-01-31T10:00:00.000Z', last: '2026-02-28T10:00:00.000Z' },
      pinned: ['digest board, January'],
    });
    expect(existsSync(fileOf(folder, '20260331-100000-123'))).toBe(true);
    expect(await standingPins(folder)).toEqual({});
    await pin(folder, '20260331-100000-123', 'digest board, March');
    expect(await standingPins(folder)).toEqual({ '20260331-100000-123': 'digest board, March' });
    await unpin(folder, '20260331-100000-123');
    expect(JSON.parse(readFileSync(join(folder, 'pins.json'), 'utf8'))).toEqual({});
  });

  it('pins that change at the same time are all kept', async () => {
    const folder = folderWith([]);
    const ids = Array.from({ length: 20 }, (_, minute) => idOf(now + minute * 60_000));
    await Promise.all(ids.map((id) => pin(folder, id, 'digest monday')));
    await Promise.all([
      unpin(folder, ids[3] ?? ''),
      unpin(folder, ids[7] ?? ''),
      pin(folder, ids[4] ?? '', 'digest board'),
    ]);
    const left = ids.filter((_, place) => place !== 3 && place !== 7);
    expect(await pins(folder)).toEqual(
      Object.fromEntries(left.map((id) => [id, id === ids[4] ? 'digest board' : 'digest monday'])),
    );
  });

  it('what the version before this one wrote down as gone is read', async () => {
    const folder = folderWith(months);
    writeFileSync(join(folder, 'lost.json'), '{"20251231-100000-000": "2026-01-01T00:00:00.000Z"}');
    const december = '2025-12-31T10:00:00.000Z';
    expect(await lostSnapshots(folder)).toEqual({ count: 1, first: december, last: december, pinned: [] });
  });

  it('what went for lack of room is remembered for as long as it would have stayed', async () => {
    const folder = folderWith(months);
    expect(await lostSnapshots(folder)).toBe(null);
    await tidy(folder, now, 200);
    const january = { count: 1, first: '2026-01-31T10:00:00.000Z', last: '2026-01-31T10:00:00.000Z', pinned: [] };
    expect(await lostSnapshots(folder)).toEqual(january);
    // The last of a month stays for ever; what was one of many within an hour does not.
    await tidy(folder, now + 400 * 86_400_000, 200);
    expect(await lostSnapshots(folder)).toEqual(january);
    const hour = folderWith(
      Array.from({ length: 14 }, (_, minute) => `2026-03-31T09:${String(minute + 10)}:00.000Z`).concat(months.slice(2)),
    );
    await tidy(hour, now, 1400);
    expect(await lostSnapshots(hour)).toBe(null);
    await tidy(hour, now, 300);
    expect((await lostSnapshots(hour))?.count).toBe(9);
    for (let minute = 1; minute < 20; minute += 1)
      writeFileSync(fileOf(hour, idOf(now + minute * 60_000)), 'x'.repeat(100));
    await tidy(hour, now + 20 * 60_000, 10e9);
    expect(await lostSnapshots(hour)).toBe(null);
  });

  it('with a broken list of pins nothing is removed, and the file is named', async () => {
    for (const text of ['{', '[]', '{"20260131-100000-000": 3}', 'null']) {
      const folder = folderWith(months);
      writeFileSync(join(folder, 'pins.json'), text);
      await expect(tidy(folder, now, 0)).rejects.toThrow('pins.json');
      expect(existsSync(fileOf(folder, '20260131-100000-000'))).toBe(true);
    }
    expect(await pins(folderWith([]))).toEqual({});
  });
});
