// A bound on the memory of processes, and what they took of it: control groups of either version.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface MemoryLimit {
  /** Shell line that puts the shell and what it starts under the limit. */
  enter: string;
  /** Bytes that programs hold now: what cannot be dropped as files can. */
  held(): number;
  /** The processes and what each holds, in a sentence. */
  parts(): string;
  /** How often a process was killed for it. */
  kills(): number;
  remove(): void;
}

const [first, second] = ['/sys/fs/cgroup/memory', '/sys/fs/cgroup'];

/** Undefined where control groups cannot be made. */
export function memoryLimit(bytes: number): MemoryLimit | undefined {
  const is_second = existsSync(join(second, 'cgroup.controllers'));
  const place = join(is_second ? second : first, `chatledger-drill-${process.pid}`);
  try {
    mkdirSync(place);
    writeFileSync(join(place, is_second ? 'memory.max' : 'memory.limit_in_bytes'), String(bytes));
  } catch {
    if (existsSync(place)) rmdirSync(place);
    return undefined;
  }
  const numberIn = (file: string, name: string): number =>
    Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(readFileSync(join(place, file), 'utf8'))?.[1] ?? 0);
  return {
    enter: `echo $$ > ${place}/cgroup.procs`,
    held: () =>
      is_second
        ? numberIn('memory.stat', 'anon') + numberIn('memory.stat', 'shmem')
        : numberIn('memory.stat', 'total_rss') + numberIn('memory.stat', 'total_shmem'),
    parts: () => {
      const ids = readFileSync(join(place, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean);
      return ids
        .map(processOf)
        .sort((one, other) => other.megabytes - one.megabytes)
        .map(({ name, megabytes }) => `${name} ${megabytes}`)
        .join(', ');
    },
    kills: () => numberIn(is_second ? 'memory.events' : 'memory.oom_control', 'oom_kill'),
    remove: () => rmdirSync(place),
  };
}

/** Of a process that may have ended meanwhile. */
function processOf(id: string): { name: string; megabytes: number } {
  try {
    const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0');
    const script = words.findIndex((word) => word.endsWith('.ts'));
    const name =
      script < 0
        ? (words[0] ?? '')
        : words
            .slice(script, script + 2)
            .join(' ')
            .trim();
    const [, kibibytes = '0'] = /^RssAnon:\s*(\d+)/m.exec(readFileSync(`/proc/${id}/status`, 'utf8')) ?? [];
    return { name: name.replace(/^.*\/src\/|^src\//, ''), megabytes: Math.round(Number(kibibytes) / 1024) };
  } catch {
    return { name: 'ended', megabytes: 0 };
  }
}
