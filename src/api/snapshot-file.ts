// A kept snapshot as a file, the newest or one by its id: whole, or a range of its bytes.
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Context, Hono } from 'hono';
import parseRange from 'range-parser';
import { askerOf, assertReadsFile, fileOf, openNamed, readerOf, snapshotOf } from './context.ts';
import { routed } from './contract/endpoint.ts';
import { downloadKeptSnapshot, downloadSnapshot } from './contract/pulls.ts';
import type { ApiDeps, OpenSnapshot } from './deps.ts';
import { Declined } from './errors.ts';
import { keptFiles } from './kept-files.ts';

interface Range {
  start: number;
  /** Of the last byte. */
  end: number;
}

/**
 * The range that is asked for; null: the whole file, also for several ranges at once, as RFC 9110 allows. Of the newest snapshot a range is
 * given only to who says of which file it is (`If-Range`, `If-Match`): a publication replaces it, and parts of two would make one that opens
 * and whose numbers are of neither.
 */
function rangeIn(c: Context, size: number, { etag, isNamed }: Answered): Range | null | 'unsatisfiable' {
  const asked = c.req.header('range');
  const of = c.req.header('if-range') ?? c.req.header('if-match') ?? (isNamed ? etag : undefined);
  if (asked === undefined || of !== etag || c.req.raw.method === 'HEAD') return null;
  const ranges = parseRange(size, asked, { combine: true });
  if (ranges === -1) return 'unsatisfiable';
  if (ranges === -2 || ranges.type !== 'bytes' || ranges.length !== 1) return null;
  return ranges[0] ?? null;
}

interface Answered {
  file: FileHandle;
  close: () => Promise<void>;
  etag: string;
  /** The file name that a browser saves it under. */
  name: string;
  /** The refusal when `If-Match` names another file. */
  changed: string;
  /** The address names the snapshot. Made anew it may have other bytes, and another ETag. */
  isNamed: boolean;
}

async function answerFile(c: Context, answered: Answered): Promise<Response> {
  const { file, close, etag, name, changed } = answered;
  c.header('etag', etag);
  c.header('cache-control', 'private, no-cache');
  c.header('accept-ranges', 'bytes');
  if (c.req.header('if-none-match') === etag) {
    await close();
    return c.body(null, 304);
  }
  const wanted = c.req.header('if-match');
  if (wanted !== undefined && wanted !== '*' && wanted !== etag) {
    await close();
    throw new Declined('precondition_failed', changed);
  }
  const { size } = await file.stat();
  const range = rangeIn(c, size, answered);
  if (range === 'unsatisfiable') {
    await close();
    c.header('content-range', `bytes */${size}`);
    throw new Declined('range_not_satisfiable', `the file has ${size} bytes, and none in this range`);
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  c.header('content-type', 'application/octet-stream');
  c.header('content-length', String(end - start + 1));
  c.header('content-disposition', `attachment; filename="${name}"`);
  if (range) c.header('content-range', `bytes ${start}-${end}/${size}`);
  const status = range ? 206 : 200;
  if (c.req.raw.method === 'HEAD') {
    await close();
    return c.body(null, status);
  }
  return c.body(bytesOf(file, { start, end }, close), status);
}

async function newestOf(c: Context, deps: ApiDeps, snapshot: OpenSnapshot): Promise<Response> {
  const { id, handle } = snapshot;
  const path = fileOf(snapshot).file;
  const file = handle ?? (await open(path, 'r'));
  return answerFile(c, {
    file,
    close: async () => (handle ? undefined : file.close()),
    // An erasure rewrites a snapshot under its own name.
    etag: `"${[id, deps.rewritten?.()].filter(Boolean).join('-')}"`,
    name: `chatledger-${basename(path)}`,
    changed: `a newer snapshot is published by now: this is ${id}, begin the download again`,
    isNamed: false,
  });
}

export function addSnapshotFile(app: Hono, deps: ApiDeps): void {
  app.get(downloadSnapshot.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    return newestOf(c, deps, snapshotOf(deps));
  });

  const files = keptFiles(deps);
  app.get(routed(downloadKeptSnapshot), async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    const asked = c.req.param('id');
    const found = (await deps.snapshots.list()).find(({ id }) => id === asked);
    if (!found)
      throw new Declined(
        'not_found',
        `no snapshot ${asked} is kept, or it went to make room: GET /api/snapshots lists those that are`,
      );
    const { file } = fileOf(await openNamed(deps, found.id));
    const { handle, checksum } = await files.open(found.id, file, askerOf(c));
    c.header('repr-digest', `sha-256=:${checksum.toString('base64')}:`);
    return answerFile(c, {
      file: handle,
      close: () => handle.close(),
      etag: `"${found.id}-${checksum.toString('hex').slice(0, 32)}"`,
      name: `chatledger-${found.id}.duckdb`,
      changed: `the file of ${found.id} was made anew with other bytes: begin the download again`,
      isNamed: true,
    });
  });
}

const piece = 256 * 1024;

/**
 * Reads through the handle of the open snapshot, so that the download survives the removal of its name. TRICKY: a Node read stream closes
 * the handle when its reader disconnects, while other streams still use it.
 */
function bytesOf(file: FileHandle, { start, end }: Range, close: () => Promise<void>): ReadableStream<Uint8Array> {
  let position = start;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const wanted = Math.min(piece, end + 1 - position);
          const { buffer, bytesRead } = await file.read(new Uint8Array(wanted), 0, wanted, position);
          if (bytesRead === 0) throw new Error(`the file ended after ${position} of ${end + 1} bytes`);
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
          if (position <= end) return;
          controller.close();
          await close();
        } catch (error) {
          controller.error(error);
          await close();
        }
      },
      cancel: close,
    },
    { highWaterMark: 1 },
  );
}
