// What takes long to make and is only copied afterwards: made once in a run, by whichever test file comes first.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const wait_ms = 50;

/**
 * A folder of this name in a folder of the run (`scratch.ts`), filled by whoever comes first while the others wait.
 * Nobody changes it afterwards. @throws when it could not be filled.
 */
export async function madeOnce(name: string, fill: (folder: string) => Promise<void>): Promise<string> {
  const folder = join(process.env.TEST_FOLDER ?? tmpdir(), `made-${name}`);
  const [made, failed] = [`${folder}.made`, `${folder}.failed`];
  if (isFirst(folder)) {
    try {
      await fill(folder);
      writeFileSync(made, '');
    } catch (error) {
      writeFileSync(failed, '');
      throw error;
    }
  }
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(`another test file could not make ${name}`);
    await pause(wait_ms);
  }
  return folder;
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
