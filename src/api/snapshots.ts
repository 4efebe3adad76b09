// The kept snapshots: their list, and the newest one as a file.
import { open, type FileHandle } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Hono } from 'hono';
import { assertReadsFile, callerIn, readerOf, seesAll, snapshotOf } from './context.ts';
import { downloadSnapshot, listSnapshots, type Snapshots } from './contract/pulls.ts';
import type { ApiDeps } from './deps.ts';

export function addSnapshots(app: Hono, deps: ApiDeps): void {
  app.get(listSnapshots.path, async (c) => {
    const current = deps.published()?.id;
    const kept = [...(await deps.snapshots.list())].reverse();
    const { rights, reader } = callerIn(c);
    // Digests are named there.
    const isOfDigests = rights.has('digests:write');
    // The size of a file reveals how much data is hidden from a reader.
    const isOfFiles = (rights.has('files') || rights.has('pulls:write')) && seesAll(reader);
    const snapshots = kept.map(({ id, published_at, bytes, pinned }) => ({
      ...{ id, published_at, bytes: isOfFiles ? bytes : null },
      ...{ pinned: isOfDigests ? pinned : null, is_current: id === current },
    }));
    c.header('cache-control', 'no-store');
    const spare = await deps.snapshots.spare();
    const bytes = isOfFiles ? kept.reduce((sum, { bytes }) => sum + bytes, spare) : null;
    const lost = await deps.snapshots.lost();
    return c.json<Snapshots>({
      ...{ snapshots, bytes, space: deps.snapshots.space },
      lost: lost && (isOfDigests ? lost : { ...lost, pinned: [] }),
    });
  });

  app.get(downloadSnapshot.path, async (c) => {
    assertReadsFile(readerOf(c), 'the whole file');
    const { id, engine, handle } = snapshotOf(deps);
    const etag = `"${id}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, no-cache');
    if (c.req.header('if-none-match') === etag) return c.body(null, 304);
    const file = handle ?? (await open(engine.file, 'r'));
    const { size } = await file.stat();
    c.header('content-type', 'application/octet-stream');
    c.header('content-length', String(size));
    c.header('content-disposition', `attachment; filename="chatledger-${basename(engine.file)}"`);
    const close = async (): Promise<void> => (handle ? undefined : file.close());
    if (c.req.raw.method === 'HEAD') {
      await close();
      return c.body(null);
    }
    return c.body(bytesOf(file, size, close));
  });
}

const piece = 256 * 1024;

/**
 * Reads through the handle of the open snapshot, so that the download survives the removal of its name. TRICKY: a Node read stream closes
 * the handle when its reader disconnects, while other streams still use it.
 */
function bytesOf(file: FileHandle, size: number, close: () => Promise<void>): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { buffer, bytesRead } = await file.read(new Uint8Array(piece), 0, piece, position);
          if (bytesRead === 0) throw new Error(`the file ended after ${position} of ${size} bytes`);
          position += bytesRead;
          controller.enqueue(buffer.subarray(0, bytesRead));
          if (position < size) return;
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
