// The files that the laws read: what git tracks and what it would.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

export const trackedFiles = (): string[] =>
  execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(file));

/** Without the scripts of the embedded service's pages, which are JavaScript of a browser. */
export const sourceFiles = (): string[] =>
  trackedFiles().filter((file) => /^((livechat|network|warehouse|etl|src)\/.*\.(ts|svelte)|src\/.*\.js)$/.test(file));
