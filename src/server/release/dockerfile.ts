// What the Dockerfile says, stage by stage, so that a release archive and a drill without a container engine do the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Instruction {
  /** FROM, RUN, COPY, ENV and so on. */
  name: string;
  /** Everything behind the name, on one line. */
  text: string;
}

/** The instructions of each stage; the first of each is FROM. */
export function dockerfileStages(checkout: string): Instruction[][] {
  const lines = readFileSync(join(checkout, 'Dockerfile'), 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^([A-Z]+) +(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

/** Files and folders that the build stage copies from the checkout. */
export const copiedByBuild = ([build = []]: readonly Instruction[][]): string[] =>
  build.filter(({ name }) => name === 'COPY').flatMap(({ text }) => text.split(' ').slice(0, -1));

/** Shell lines of the build stage in order: packages, pages, and what is left of the packages. */
export const builtBy = ([build = []]: readonly Instruction[][]): string[] =>
  build.filter(({ name }) => name === 'RUN').map(({ text }) => text);
