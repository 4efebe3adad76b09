// `chatledger serve`: dashboards and API alone, from whatever is published in the data folder.
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { openDoor } from '../door.ts';
import { openFolder } from '../folder.ts';
import { watchDigests } from '../digests.ts';
import { createRuntime } from '../runtime.ts';
import { sourcesOf } from '../accounts.ts';
import { addressOf, untilTold } from '../ending.ts';

export async function serve(): Promise<void> {
  const config = readConfig();
  const folder = openFolder(config.folder);
  sourcesOf(config, folder, clock());
  const runtime = createRuntime(config, folder);
  await runtime.snapshots.refresh();
  const server = await openDoor(runtime.door, config.host, config.port);
  process.stdout.write(`${addressOf(server)}\n`);
  if (!runtime.snapshots.current())
    process.stdout.write("no snapshot is published yet: run 'npx chatledger pull'; pages fill when it is there\n");
  const digests = watchDigests(runtime.digests);
  await untilTold();
  await digests.stop();
  server.close();
  server.closeAllConnections();
  await runtime.close();
}
