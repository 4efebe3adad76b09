// `chatledger service`: the embedded live-chat service alone, with its simulated account.
import { PortInUse, startService } from '#service/service.ts';
import { OtherAccount } from '#service/settle.ts';
import { serviceKeyOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { untilTold } from '../ending.ts';
import { Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { endWithParent, tell } from '../relay.ts';

export async function service(): Promise<void> {
  endWithParent();
  const config = readConfig();
  const folder = openFolder(config.folder);
  const { port, seed, days, login } = config.service;
  try {
    const running = await startService({
      file: folder.service,
      host: '127.0.0.1',
      zone: config.service.timezone,
      apiKey: serviceKeyOf(config, folder),
      ...{ clock, port, seed, days, login },
      onProgress: (day, of) => progress(day, of),
    });
    tell({ kind: 'service', url: running.url, first_day: running.firstDay });
    if (!process.send) {
      process.stdout.write(`${running.url} serves the account since ${running.firstDay}\n`);
      process.stdout.write(`login ${login}, API key ${serviceKeyOf(config, folder)}\n`);
    }
    await untilTold();
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
