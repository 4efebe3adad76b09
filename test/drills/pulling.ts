// One small pull into a data folder, by the product's own writer: `node pulling.ts FOLDER URL INSTANT closed|killed`.
import { pull } from '#etl/pull.ts';
import { basic } from '#etl/source.ts';
import { openFolder } from '#server/folder.ts';
import { openWriter } from '#server/writer.ts';
import { publish } from '#warehouse/store/snapshot.ts';

const [path = '', base_url = '', instant = '', end] = process.argv.slice(2);
const now = Date.parse(instant) / 1000;
const folder = openFolder(path);
const writer = await openWriter(folder);
await pull({
  source: {
    ...{ id: 'default', base_url, authorization: basic('owner@example.com', 'secret'), region: 'dal', timezone: 'UTC' },
    ...{ since: '2026-11-16', requests_per_second: null, archive: 'rest_v2' as const },
  },
  ...{ engine: writer.engine, archive: writer.archive, clock: () => now },
  only: new Set(['archive', 'total_chats', 'chat_ranking', 'goals']),
  // Publishing writes the log into the file, so the kill comes before it.
  publish: async () => {
    if (end === 'killed') process.kill(process.pid, 'SIGKILL');
    await publish(writer.engine, folder.published, now * 1000);
  },
});
await writer.close();
process.disconnect?.();
