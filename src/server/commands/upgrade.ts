// `chatledger upgrade --check`: what this version would do to the data folder, and what stands in its way.
import { resolve } from 'node:path';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { out, outJson } from '../terminal.ts';
import { checkUpgrade } from '../upgrade-check.ts';

interface UpgradeOptions {
  check?: boolean;
  rehearse?: string;
  json?: boolean;
}

export async function upgrade({ check, rehearse, json }: UpgradeOptions): Promise<void> {
  if (!check)
    throw new Stopped('upgrade: the first start of a version makes it; say --check to learn what that would do');
  const found = await checkUpgrade(
    readConfig().folder,
    clock(),
    rehearse === undefined ? undefined : resolve(rehearse),
  );
  if (json) outJson(found, 2);
  else {
    out(`program ${found.program}, data folder ${found.folder}`);
    for (const { what, is_well, words } of found.findings) out(`${is_well ? 'ok   ' : 'WRONG'} ${what}: ${words}`);
    out(found.is_ready ? 'nothing stands in the way' : 'not yet: see WRONG above; nothing was changed');
  }
  if (!found.is_ready) process.exitCode = exitCodes.failed;
}
