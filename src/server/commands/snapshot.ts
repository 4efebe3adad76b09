// `chatledger snapshot`: publishes what the warehouse holds now, whether or not anything is new.
import { publish } from '#warehouse/store/snapshot.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { endWhenTold } from '../ending.ts';
import { stoppedByFile } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { out, outJson } from '../terminal.ts';
import { withWriter } from '../writer.ts';

export async function snapshot({ json }: { json?: boolean }): Promise<void> {
  endWhenTold();
  const config = readConfig();
  const folder = openFolder(config.folder);
  const published = await withWriter(folder, ({ engine }) =>
    publish(engine, folder.published, clock() * 1000, config.snapshot_space),
  ).catch((error: unknown) => {
    throw stoppedByFile(error) ?? error;
  });
  if (json) outJson(published);
  else out(`snapshot ${published.id} is published: ${published.file}`);
}
