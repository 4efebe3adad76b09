// Finds a process's descendants by their parents' ids, since killing a process must not leave any of them behind.
import { readdirSync, readFileSync } from 'node:fs';

/** Parent by process. Empty where the system does not list its processes as files. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of listed()) {
    try {
      // The program's name is in brackets and may contain anything; only numbers follow the last bracket.
      const [, parent] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      if (parent !== undefined) found.set(Number(name), Number(parent));
    } catch {
      continue; // ended meanwhile
    }
  }
  return found;
}

function listed(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

/** Children first, then theirs. */
export function descendantsOf(process_id: number): number[] {
  const all = parents();
  const under = (id: number): number[] => {
    const children = [...all].filter(([, parent]) => parent === id).map(([child]) => child);
    return [...children, ...children.flatMap(under)];
  };
  return under(process_id);
}

/** Kills the whole tree at once, including the process itself unless it is this one. */
export function killTree(process_id: number): void {
  const doomed = descendantsOf(process_id);
  for (const id of process_id === process.pid ? doomed : [process_id, ...doomed]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      continue; // ended meanwhile
    }
  }
}
