// A bare Debian root made with mmdebstrap, and the image's last stage done in it: packages, user, folders, the program.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Instruction } from '#server/release/dockerfile.ts';

/** Why it cannot be done here; undefined where it can. */
export function whyNoRoot(): string | undefined {
  if (process.platform !== 'linux') return `it needs Linux, this is ${process.platform}`;
  if (process.getuid?.() !== 0) return 'it needs root: mmdebstrap, chroot and mounts are its own';
  if (spawnSync('mmdebstrap', ['--version']).status !== 0) return 'mmdebstrap is missing: apt-get install mmdebstrap';
  return undefined;
}

/** What the image's base is beside `minbase`: no papers, no caches of apt, and no perl for a move of /usr that it was made with. */
const as_slim = [
  ...['man', 'locale', 'doc', 'info'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
  ...['pkgcache', 'srcpkgcache'].map((name) => `--aptopt=Dir::Cache::${name} ""`),
  '--hook-dir=/usr/share/mmdebstrap/hooks/merged-usr',
  '--include=usr-is-merged',
];

/** Of the last stage, in its order: `FROM debian:<suite>-slim` is mmdebstrap, `COPY --from=build` the release archive. Returns what was done. */
export function makeRoot(root: string, stage: readonly Instruction[], checkout: string, archive: string): string[] {
  const done: string[] = [];
  let work = '/';
  for (const { name, text } of stage) {
    const place = join(root, work);
    if (name === 'FROM') {
      const [, suite = ''] = /^debian:(\w+)-slim$/.exec(text) ?? [];
      execFileSync('mmdebstrap', ['--variant=minbase', '--quiet', ...as_slim, suite, root], { stdio: 'inherit' });
      execFileSync('cp', ['--dereference', '/etc/resolv.conf', join(root, 'etc', 'resolv.conf')]);
    } else if (name === 'RUN') inRoot(root, text);
    else if (name === 'WORKDIR') mkdirSync(join(root, (work = text)), { recursive: true });
    else if (name === 'COPY' && text.startsWith('--from=build'))
      execFileSync('tar', ['-xzf', archive, '--strip-components=1', '-C', place]);
    else if (name === 'COPY') execFileSync('cp', ['-r', ...text.split(' ').slice(0, -1), place], { cwd: checkout });
    else continue;
    done.push(`${name} ${text}`);
  }
  return done;
}

function inRoot(root: string, line: string): void {
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('chroot', [root, 'sh', '-ec', line], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Megabytes of its files, as the layers of an image count. */
export const sizeOf = (place: string): number =>
  existsSync(place)
    ? Number(execFileSync('du', ['-sm', '--apparent-size', place], { encoding: 'utf8' }).split('\t')[0])
    : 0;
