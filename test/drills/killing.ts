// One pull into a data folder by the product's own writer, to be killed: `node killing.ts FOLDER URL ZONE SINCE SECOND`.
import { retrying } from '#etl/patience.ts';
import { pull } from '#etl/pull.ts';
import { basic } from '#etl/source.ts';
import { openFolder } from '#server/folder.ts';
import { openWriter } from '#server/writer.ts';
import { publish } from '#warehouse/snapshot.ts';

const [path = '', base_url = '', timezone = '', since = '', second = ''] = process.argv.slice(2);
const now = Number(second);
const folder = openFolder(path);
const writer = await openWriter(folder);
const outcome = await pull({
  source: {
    ...{ id: 'default', base_url, authorization: basic('owner@example.com', 'secret'), region: 'dal', timezone, since },
    requests_per_second: null,
  },
  ...{ engine: writer.engine, archive: writer.archive, clock: () => now },
  // The faults of a drill are over at once; waits as for a real source would only make it long.
  limits: { ...retrying, timeout_ms: 1000, first_ms: 5, longest_ms: 50 },
  publish: async () => void (await publish(writer.engine, folder.published, now * 1000)),
});
await writer.close();
process.send?.(outcome);
process.disconnect?.();
