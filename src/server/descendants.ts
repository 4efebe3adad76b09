// The processes under one, found by their parents' numbers: whoever is killed must leave none of them behind.
import { readdirSync, readFileSync } from 'node:fs';

/** Parent by process. Empty where the system does not list its processes as files. */
function parents(): Map<number, number> {
  const found = new Map<number, number>();
  for (const name of listed()) {
    try {
      // The name of the program stands in brackets and may hold anything: what follows the last one is numbers.
      const [, parent] = /.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
      if (parent !== undefined) found.set(Number(name), Number(parent));
    } catch {
      continue; // gone meanwhile
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

/** Kills them at once, and the process itself when it is not this one. */
export function killTree(process_id: number): void {
  const doomed = descendantsOf(process_id);
  for (const id of process_id === process.pid ? doomed : [process_id, ...doomed]) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      continue; // gone meanwhile
    }
  }
}
