// Makes the release archive for the platform that it runs on: `npm run release -- [FOLDER]`. It needs no build and no npm where it is unpacked.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { programVersion } from './program-version.ts';
import { builtBy, copiedByBuild, dockerfileStages } from './release/dockerfile.ts';
import { leave, report } from './shutdown.ts';
import { out, say } from './terminal.ts';

const checkout = join(import.meta.dirname, '..', '..');
/** For people: what the program itself does not read. */
const papers = ['LICENSE', 'README.md', 'CHANGELOG.md', 'docs'];

/** The files under version control, built and left as the image has them. Returns the archive. */
function makeArchive(folder: string): string {
  const name = `chatledger-${programVersion}`;
  const stages = dockerfileStages(checkout);
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'chatledger-release-'));
  try {
    const files = execFileSync('git', ['ls-files', '-z', '--', ...copiedByBuild(stages), ...papers], { cwd: checkout });
    mkdirSync(join(work, name));
    const packed = execFileSync('tar', ['-cf', '-', '--null', '-T', '-'], { cwd: checkout, input: files, maxBuffer });
    execFileSync('tar', ['-xf', '-'], { cwd: join(work, name), input: packed });
    for (const line of builtBy(stages)) {
      say(line.replaceAll('/app/', './'));
      execFileSync('sh', ['-ec', line.replaceAll('/app/', `${join(work, name)}/`)], {
        ...{ cwd: join(work, name), stdio: ['ignore', 'ignore', 'inherit'] },
      });
    }
    const archive = join(folder, `${name}-${process.platform}-${process.arch}.tar.gz`);
    const everybodys = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', '--mode=u+rw,go+rX,go-w'];
    execFileSync('tar', ['-czf', `${archive}.part`, ...everybodys, name], { cwd: work });
    renameSync(`${archive}.part`, archive);
    return archive;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Of the sources, which are a few megabytes. */
const maxBuffer = 256 * 1024 * 1024;

try {
  const archive = makeArchive(resolve(process.argv[2] ?? 'release'));
  const hash = createHash('sha256');
  await pipeline(createReadStream(archive), hash);
  writeFileSync(`${archive}.sha256`, `${hash.digest('hex')}  ${basename(archive)}\n`);
  out(`${archive}: ${Math.round(statSync(archive).size / 1e6)} MB`);
} catch (error) {
  report(error);
}
await leave();
