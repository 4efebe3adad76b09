// `chatledger serve`: dashboards and API alone, from whatever is published in the data folder.
import { watchAudit } from '../audit-keeping.ts';
import { letFirstAdminIn } from '../auth.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { assertDatabase } from '../database.ts';
import { putBackIn, putBackSentence } from '../erase/put-back.ts';
import { openWebServer } from '../web-server.ts';
import { openMonitoring } from '../monitoring/monitoring-server.ts';
import { openFolder } from '../folder.ts';
import { watchDigests } from '../digests.ts';
import { withAppState } from '../user-data/database.ts';
import { createRuntime } from '../runtime.ts';
import { sourcesOf } from '../accounts.ts';
import { fixOrigins } from '../account-origin.ts';
import { addressOf, closeServer, lifetime, linksSentence } from '../shutdown.ts';
import { announce, out } from '../terminal.ts';

export async function serve(): Promise<void> {
  const config = readConfig();
  const folder = openFolder(config.folder);
  if (!config.reads_all) fixOrigins(config, folder);
  await assertDatabase(folder, config.database);
  if (!config.reads_all) sourcesOf(config, folder, clock());
  await lifetime(async ({ told, works, keeps }) => {
    const runtime = withAppState(folder.path, () => createRuntime(config, folder));
    keeps(() => runtime.close());
    await runtime.snapshots.refresh();
    const served = runtime.snapshots.current();
    const putBack = served?.whole && putBackSentence(await putBackIn(folder, served.whole));
    if (putBack) announce(putBack);
    const admin = await letFirstAdminIn(runtime.api.auth, config);
    if (admin) out(admin);
    const server = await openWebServer(runtime.api, config.host, config.port, config.public_port);
    works(() => closeServer(server));
    announce(addressOf(server));
    if (config.public_port !== null) announce(linksSentence(config.host, config.public_port));
    if (runtime.monitor && config.monitoring) {
      const monitoring = await openMonitoring(runtime.monitor, config.monitoring);
      works(() => closeServer(monitoring));
      announce(`metrics for Prometheus: ${addressOf(monitoring)}/metrics`);
    }
    if (!runtime.snapshots.current())
      announce(
        config.reads_all
          ? 'no data folder has published to the database yet; pages fill when one has'
          : "no snapshot is published yet: run 'npx chatledger pull'; pages fill when it is there",
      );
    const digests = watchDigests(runtime.digests);
    works(() => digests.stop());
    const audit = watchAudit(runtime.api.auth.audit, config, folder, announce);
    works(() => audit.stop());
    await told;
  });
}
