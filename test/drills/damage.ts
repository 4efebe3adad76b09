// Damages copies of a small data folder in seeded random ways and opens each as the product does: nothing may be silently wrong.
// `npm run drill:damage -- [copies] [seed]`; a small round runs with the tests.
import { fork } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damages, type Damage } from './damages.ts';
import type { Said } from './opening.ts';
import { makeFolders, type Folders } from './folders.ts';

/** How a damaged copy fared. */
export const fates = ['loud', 'set aside and made again', 'undamaged', 'SILENTLY WRONG'] as const;
export type Fate = (typeof fates)[number];

export interface Fared {
  damage: Damage;
  fate: Fate;
  /** What was said, or what is wrong. */
  words: string;
}

const opening = join(import.meta.dirname, 'opening.ts');

/** Opens a folder in a process of its own, because a damaged file may end it. */
function openIn(folder: string, what: Damage['file']): Promise<Said> {
  return new Promise((resolve) => {
    const child = fork(opening, [folder, what], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
    let complained = '';
    let said: Said | undefined;
    child.stderr?.on('data', (part: Buffer) => (complained += part.toString()));
    child.on('message', (message) => (said = message as Said));
    child.on('close', (code, signal) =>
      resolve(said ?? { words: '', error: `the process ended with ${signal ?? code}: ${complained.slice(-300)}` }),
    );
  });
}

function fateOf(said: Said, whole: Said): Omit<Fared, 'damage'> {
  if (said.error !== undefined) return { fate: 'loud', words: said.error };
  const wrong = Object.keys(whole.content ?? {}).filter((table) => said.content?.[table] !== whole.content?.[table]);
  if (wrong.length > 0 && !said.words) return { fate: 'SILENTLY WRONG', words: wrong.join(', ') };
  // What was set aside must have been made again; only a raw archive or a snapshot may lack what it said it lacks.
  if (wrong.some((table) => !table.startsWith('raw.') && !table.startsWith('snapshot.')))
    return { fate: 'SILENTLY WRONG', words: `${wrong.join(', ')} although it was said: ${said.words}` };
  // After a kill it says so in any case.
  const isMended = wrong.length > 0 || said.words.includes('set aside');
  return { fate: isMended ? 'set aside and made again' : 'undamaged', words: said.words };
}

/** `hear` is told of each copy; several are open at the same time. */
export async function drill(copies: number, seed: number, hear: (fared: Fared) => void): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'chatledger-drill-'));
  try {
    const folders = await makeFolders(root);
    const whole = {} as Record<keyof Folders, Record<Damage['file'], Said>>;
    for (const state of ['closed', 'killed'] as const) {
      whole[state] = {} as Record<Damage['file'], Said>;
      for (const file of ['warehouse', 'raw', 'snapshot'] as const) {
        const copy = join(root, `whole-${state}-${file}`);
        cpSync(folders[state], copy, { recursive: true, preserveTimestamps: true });
        whole[state][file] = await openIn(copy, file);
        if (whole[state][file].error)
          throw new Error(`the undamaged folder does not open: ${whole[state][file].error}`);
      }
    }
    const planned = damages(copies, seed);
    const lane = async (): Promise<void> => {
      for (let damage = planned.next().value; damage; damage = planned.next().value) {
        const copy = join(root, `copy-${damage.number}`);
        cpSync(folders[damage.state], copy, { recursive: true, preserveTimestamps: true });
        damage.inflict(copy);
        hear({ damage, ...fateOf(await openIn(copy, damage.file), whole[damage.state][damage.file]) });
        rmSync(copy, { recursive: true, force: true });
      }
    };
    await Promise.all([lane(), lane()]);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const [copies, seed] = [Number(process.argv[2] ?? 500), Number(process.argv[3] ?? 1)];
  const counts = new Map<string, number>();
  const began = performance.now();
  await drill(copies, seed, ({ damage, fate, words }) => {
    const name = `${damage.file}: ${damage.how}`;
    counts.set(`${name}\t${fate}`, (counts.get(`${name}\t${fate}`) ?? 0) + 1);
    if (fate === 'SILENTLY WRONG') process.stdout.write(`${fate}: copy ${damage.number} (${name}): ${words}\n`);
    else if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${damage.number} of ${copies}`);
  });
  const names = [...new Set([...counts.keys()].map((key) => key.split('\t')[0] ?? ''))].sort();
  const line = (name: string, cells: readonly (string | number)[]): string =>
    `${name.padEnd(36)}${cells.map((cell) => String(cell).padStart(26)).join('')}\n`;
  const sum = (fate: Fate, of: readonly string[]): number =>
    of.reduce((total, name) => total + (counts.get(`${name}\t${fate}`) ?? 0), 0);
  process.stdout.write(line('damage', fates));
  for (const name of names)
    process.stdout.write(
      line(
        name,
        fates.map((fate) => sum(fate, [name])),
      ),
    );
  process.stdout.write(
    line(
      'all',
      fates.map((fate) => sum(fate, names)),
    ),
  );
  process.stdout.write(`${copies} copies in ${Math.round((performance.now() - began) / 1000)} s, seed ${seed}\n`);
  process.exitCode = sum('SILENTLY WRONG', names) === 0 ? 0 : 1;
}

if (process.argv[1] === import.meta.filename) await main();
