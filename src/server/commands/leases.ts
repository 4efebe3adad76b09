// `chatledger leases`: which data folder publishes which account to the database, until when; or removes what a folder left there.
import type { DatabaseAddress } from '#warehouse/engines/database.ts';
import { readConfig } from '../config.ts';
import { leftSentence, publishersOn, removePublished, type HostPublishers } from '../database-publishers.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { endOnSignal } from '../shutdown.ts';
import { out, outJson } from '../terminal.ts';
import { tableOf } from '../text-table.ts';

export async function leases({ remove, json }: { remove?: string; json?: boolean }): Promise<void> {
  const config = readConfig();
  if (!config.database) throw new Stopped('there is no database: set CHATLEDGER_WAREHOUSE');
  endOnSignal();
  const folder = openFolder(config.folder);
  try {
    if (remove !== undefined) return await removeOn(folder, config.database, remove, json ?? false);
    const hosts: HostPublishers[] = [];
    for (const host of config.database) hosts.push(await publishersOn(folder, host));
    if (json) outJson(hosts);
    else for (const host of hosts) print(host);
  } catch (error) {
    throw stoppedByFile(error, folder.path) ?? error;
  }
}

function print({ database, now, accounts, left }: HostPublishers): void {
  out(`${database}, ${now} by its server's clock:`);
  const rows = accounts.map(({ account, holder, state, until, renewed_at, snapshot }) => [
    ...[account, state, holder.id, holder.host, renewed_at, until],
    snapshot === null
      ? 'nothing yet'
      : `${snapshot.id}${snapshot.folder === holder.id ? '' : ` of ${snapshot.folder}`}`,
  ]);
  if (rows.length > 0)
    out(...tableOf(['account', 'publisher', 'data folder', 'host', 'renewed', 'until', 'snapshot'], rows));
  else out('nobody publishes there');
  for (const each of left) out(leftSentence(each));
}

async function removeOn(folder: Folder, address: DatabaseAddress, id: string, json: boolean): Promise<void> {
  const found: number[] = [];
  for (const host of address) found.push(...[await removePublished(folder, host, id)].filter((many) => many !== null));
  if (found.length === 0)
    throw new Stopped(`no data folder ${id} has anything there: 'npx chatledger leases' names them`);
  const removed = found.reduce((sum, many) => sum + many, 0);
  if (json) outJson({ folder: id, removed });
  else out(`what the data folder ${id} had there is removed: ${removed} snapshots and every row`);
}
