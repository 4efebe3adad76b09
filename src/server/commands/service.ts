// `chatledger service`: the embedded live-chat service alone, with its simulated account.
import { day } from '#contract/query.ts';
import { PortInUse, startService, type Service } from '#service/service.ts';
import { OtherAccount } from '#service/settle.ts';
import { serviceKeyOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { lifetime } from '../shutdown.ts';
import { cannotListen, Stopped, stoppedBySqlite, whatFailed } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { holdServiceLock } from '../system-locks.ts';
import { endWithParent, tell } from '../ipc.ts';
import { complain, out, showProgress } from '../terminal.ts';
import { transcriptsOf } from '../transcripts.ts';
import { chaosHelp, readPlan, describeFault } from './chaos.ts';

interface ServiceCommandOptions {
  chaos?: string;
  legacy?: string;
  deprecation?: string;
}

export async function service({ chaos, ...lifecycle }: ServiceCommandOptions = {}): Promise<void> {
  if (chaos === 'help') return out(...chaosHelp());
  for (const [name, value] of Object.entries(lifecycle))
    if (!day.safeParse(value).success) throw new Stopped(`--${name} ${value} must be a date like 2026-12-31`);
  endWithParent();
  const config = readConfig();
  const plan = chaos === undefined ? undefined : readPlan(chaos);
  const folder = openFolder(config.folder);
  await lifetime(async ({ told, works }) => {
    let letGo = (): void => undefined;
    try {
      letGo = holdServiceLock(folder.path);
      const running = await startService({
        ...optionsOf(config, folder),
        ...transcriptsOf(config),
        ...{ lifecycle, onProgress: progress },
        onMistake: (error, where) =>
          complain(`the embedded service failed at ${where}:`, whatFailed(error, folder.service)),
        ...(plan && { chaos: plan, onFault: (name, path) => complain(`${name}  ${path}`) }),
      });
      works(() => running.close());
      tell({ kind: 'service', url: running.url, first_day: running.firstDay });
      if (!process.send) introduce(running, config, folder, plan !== undefined);
      await told;
      if (plan && !process.send) out(...describeFault(running.chaos.told()));
    } catch (error) {
      const stopped = stoppedBy(error, config, folder);
      if (stopped) tell({ kind: 'stopped', sentence: stopped.message, code: stopped.code });
      if (!stopped || !process.send) throw stopped ?? error;
      // Whoever started it says the sentence.
      process.exitCode = stopped.code;
    } finally {
      letGo();
    }
  });
}

const host = '127.0.0.1';

function optionsOf(config: Config, folder: Folder) {
  const { timezone: zone, port, seed, days, login } = config.service;
  return {
    ...{ file: folder.service, host, zone, clock, port, seed, days, login },
    apiKey: serviceKeyOf(config, folder),
    reach: { hosts: config.service.outgoing_hosts, setting: 'CHATLEDGER_SERVICE_OUTGOING_HOSTS' },
  };
}

function introduce({ url, firstDay, license }: Service, config: Config, folder: Folder, has_plan: boolean): void {
  out(`${url} serves the account since ${firstDay}`);
  out(`license ${license.license_id}, organization ${license.organization_id}`);
  out(`login ${config.service.login}, API key ${serviceKeyOf(config, folder)}`);
  if (has_plan) out('it misbehaves as the plan says; Ctrl-C ends it and counts');
}

function progress(day: number, days: number): void {
  tell({ kind: 'simulating', day, days });
  if (!process.send) showProgress(`simulating day ${day} of ${days}`, day === days);
}

function stoppedBy(error: unknown, { service: { port } }: Config, folder: Folder): Stopped | undefined {
  if (error instanceof Stopped) return error;
  if (error instanceof PortInUse)
    return new Stopped(
      `port ${port} of the embedded service is in use: stop what listens there, or set CHATLEDGER_SERVICE_PORT`,
    );
  if (error instanceof OtherAccount) return new Stopped(error.message);
  const listening = cannotListen(error as NodeJS.ErrnoException, host, port, 'CHATLEDGER_SERVICE_PORT');
  if (listening instanceof Stopped) return listening;
  return stoppedBySqlite(error, folder.service);
}
