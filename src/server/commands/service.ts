// `chatledger service`: the embedded live-chat service alone, with its simulated account.
import { day } from '#contract/query.ts';
import { PortInUse, startService } from '#service/service.ts';
import { OtherAccount } from '#service/settle.ts';
import { serviceKeyOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { untilTold } from '../ending.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { endWithParent, tell } from '../relay.ts';
import { chaosHelp, readPlan, toldOf } from './chaos.ts';

export interface ServiceOptions {
  chaos?: string;
  legacy?: string;
  deprecation?: string;
}

export async function service({ chaos, ...lifecycle }: ServiceOptions = {}): Promise<void> {
  if (chaos === 'help') return void process.stdout.write(chaosHelp());
  for (const [name, value] of Object.entries(lifecycle))
    if (!day.safeParse(value).success) throw new Stopped(`--${name} ${value} must be a date like 2026-12-31`);
  endWithParent();
  const config = readConfig();
  const plan = chaos === undefined ? undefined : readPlan(chaos);
  const folder = openFolder(config.folder);
  const { port, seed, days, login } = config.service;
  try {
    const running = await startService({
      file: folder.service,
      host: '127.0.0.1',
      zone: config.service.timezone,
      apiKey: serviceKeyOf(config, folder),
      ...{ clock, port, seed, days, login, lifecycle },
      onProgress: progress,
      ...(plan && { chaos: plan, onFault: (name, path) => process.stderr.write(`${name}  ${path}\n`) }),
    });
    tell({ kind: 'service', url: running.url, first_day: running.firstDay });
    if (!process.send) {
      process.stdout.write(`${running.url} serves the account since ${running.firstDay}\n`);
      process.stdout.write(`login ${login}, API key ${serviceKeyOf(config, folder)}\n`);
    }
    if (plan && !process.send) process.stdout.write('it misbehaves as the plan says; Ctrl-C ends it and counts\n');
    await untilTold();
    if (plan && !process.send) process.stdout.write(toldOf(running.chaos.told()));
    await running.close();
    process.exit();
  } catch (error) {
    const stopped = stoppedBy(error, port);
    tell({ kind: 'stopped', sentence: stopped.message, code: stopped.code });
    throw stopped;
  }
}

function progress(day: number, days: number): void {
  tell({ kind: 'simulating', day, days });
  if (!process.send && process.stderr.isTTY)
    process.stderr.write(`\r\x1b[Ksimulating day ${day} of ${days}${day === days ? '\n' : ''}`);
}

function stoppedBy(error: unknown, port: number): Stopped {
  if (error instanceof PortInUse)
    return new Stopped(
      `port ${port} of the embedded service is in use: stop what listens there, or set CHATLEDGER_SERVICE_PORT`,
    );
  if (error instanceof OtherAccount) return new Stopped(error.message);
  throw error;
}
