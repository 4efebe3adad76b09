// Runs the image's command in a root as a container engine would: its user and environment, no capabilities, a root that cannot be written.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Instruction } from '#server/release/dockerfile.ts';
import type { Ended } from '../../server/program.ts';
import type { MemoryLimit } from './memory-limit.ts';

export interface Container {
  /** A command beside what runs, to its end; for the program without `node`. */
  run(words: readonly string[], settings?: Record<string, string>): Promise<Ended>;
  /** The image's own command. */
  start(settings: Record<string, string>): Running;
  /** Ends what runs, if anything does. */
  kill(): Promise<void>;
}

export interface Running {
  ended: Promise<Ended>;
  /** The image's question for its health, inside. */
  isHealthy(): Promise<boolean>;
  /** The image's signal to end, to the first process. */
  stop(): Promise<{ code: number | null; seconds: number }>;
}

/** Whether processes can have mounts and process ids of their own here. */
export const hasNamespaces = (): boolean =>
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

const textOf = (stage: readonly Instruction[], name: string): string =>
  stage.find((instruction) => instruction.name === name)?.text ?? '';

/** Names and values, which may name the PATH before. */
const environmentOf = (stage: readonly Instruction[]): string[] =>
  textOf(stage, 'ENV')
    .split(/\s+/)
    .map((each) => each.replace('$PATH', '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'));

/** `volumes`: folders that may be written. */
export function containerOf(
  root: string,
  stage: readonly Instruction[],
  { volumes, limit }: { volumes: readonly string[]; limit: MemoryLimit | undefined },
): Container {
  const [id = ''] = textOf(stage, 'USER').split(':');
  for (const name of volumes) {
    mkdirSync(join(root, name), { recursive: true });
    spawnSync('chown', [`${id}:${id}`, join(root, name)]);
  }
  const mounts = [
    `mount --bind '${root}' '${root}'`,
    ...volumes.map((name) => `mount --bind '${root}${name}' '${root}${name}'`),
    `mount -t proc proc '${root}/proc'`,
    `mount -t tmpfs tmpfs '${root}/tmp'`,
    ...['/dev', '/sys'].map((name) => `mount --rbind '${name}' '${root}${name}'`),
    `mount -o remount,ro,bind '${root}' '${root}'`,
  ];
  const as_user = ['setpriv', '--reuid', id, '--regid', id, '--clear-groups', '--no-new-privs', '--bounding-set=-all'];
  const within = (words: readonly string[], settings: Record<string, string>): string[] => {
    const own = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
    const environment = ['env', '-i', '-C', textOf(stage, 'WORKDIR'), ...environmentOf(stage), ...own];
    return ['chroot', root, ...as_user, ...environment, ...words];
  };
  const enter = limit?.enter ?? ':';
  const fresh = (words: readonly string[]): ChildProcess => {
    const apart = ['unshare', '--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'];
    return spawned([...apart, 'sh', '-ec', [enter, ...mounts, 'exec "$@"'].join('\n'), 'sh', ...words]);
  };
  const beside = (first: number, words: readonly string[]): ChildProcess => {
    const joined = ['nsenter', '--target', String(first), '--mount', '--pid'];
    return spawned(['sh', '-ec', `${enter}\nexec "$@"`, 'sh', ...joined, ...words]);
  };
  const program = (words: readonly string[]): string[] => ['node', 'src/server/chatledger.js', ...words];
  let running: number | undefined;
  let last: { child: ChildProcess; ended: Promise<unknown> } | undefined;
  return {
    run(words, settings = {}) {
      const given = within(program(words), settings);
      return endOf(running === undefined ? fresh(given) : beside(running, given));
    },
    async kill() {
      last?.child.kill('SIGKILL');
      await last?.ended;
    },
    start(settings) {
      const child = fresh(within(commandIn(textOf(stage, 'CMD')), settings));
      const ended = endOf(child).then((end) => {
        running = undefined;
        return end;
      });
      last = { child, ended };
      const first = async (): Promise<number> => (running ??= await childOf(child.pid ?? 0));
      void first();
      return {
        ended,
        isHealthy: async () => {
          const asks = commandIn(textOf(stage, 'HEALTHCHECK').replace(/^.*?CMD /, ''));
          return (await endOf(beside(await first(), within(asks, settings)))).code === 0;
        },
        async stop() {
          const began = performance.now();
          process.kill(await first(), textOf(stage, 'STOPSIGNAL') as NodeJS.Signals);
          const { code } = await ended;
          return { code, seconds: (performance.now() - began) / 1000 };
        },
      };
    },
  };
}

const commandIn = (text: string): string[] => JSON.parse(text) as string[];

const spawned = ([command = '', ...words]: readonly string[]): ChildProcess =>
  spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });

async function endOf(child: ChildProcess): Promise<Ended> {
  let [said, complained] = ['', ''];
  child.stdout?.on('data', (part: Buffer) => (said += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (complained += part.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said, complained };
}

/** Of unshare, which forks the first process of the namespace. */
async function childOf(pid: number): Promise<number> {
  const file = `/proc/${pid}/task/${pid}/children`;
  for (;;) {
    const [child] = existsSync(file) ? readFileSync(file, 'utf8').trim().split(' ').filter(Boolean) : [''];
    if (child === '') throw new Error('the container ended at once');
    if (child !== undefined) return Number(child);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
