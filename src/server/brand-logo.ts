// The logo of the installation: one file in the data folder, which every command reads.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LogoStore } from '#api/deps.ts';
import { logoSizeOf } from '#api/logo.ts';
import type { Logo } from '#digests/brand.ts';
import { replaceFile } from './replace-file.ts';

/** `complain`: told once of a file that somebody put there and that is no logo. */
export function logoIn(folder: string, complain: (sentence: string) => void): LogoStore {
  const file = join(folder, 'logo.png');
  let kept: { of: string; logo: Logo | null } | undefined;

  function read(): Logo | null {
    const png = readFileSync(file);
    const size = logoSizeOf(png);
    if ('wrong' in size) {
      complain(`${file} ${size.wrong}: it is not shown until it is mended or removed`);
      return null;
    }
    return { version: createHash('sha256').update(png).digest('hex').slice(0, 16), ...size, png };
  }

  return {
    now() {
      if (!existsSync(file)) return null;
      const { ino, mtimeMs, size } = statSync(file);
      const of = [ino, mtimeMs, size].join(' ');
      if (kept?.of !== of) kept = { of, logo: read() };
      return kept.logo;
    },
    save: (png) => replaceFile(file, png, { mode: 0o600, flush: true }),
    remove: () => rmSync(file, { force: true }),
  };
}
