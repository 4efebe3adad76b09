// A file of all chats as rows: what the web process of a fresh program grows by while it is made.
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { serving } from './served.ts';

const rest_ms = 5000;
const ticks_a_second = 100;

const most_mb = (pid: number): number =>
  Number(/^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** User and system time; the fields after the name of the program, which may have spaces. */
function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / ticks_a_second;
}

interface Taken {
  rows: number;
  seconds: number;
  processor_seconds: number;
  grown_mb: number;
}

/** `range`: of days, as in an address. Errors: the file is refused. */
export async function rowsTakenAway(folder: string, format: string, range: string): Promise<Taken> {
  const { pid, url, own_mb, end } = await serving(folder, '/?preset=30d');
  try {
    const { total } = (await (await fetch(`${url}/api/chat-rows?${range}&limit=1`)).json()) as { total: number };
    await pause(rest_ms);
    const before_mb = own_mb();
    const before_seconds = processorSeconds(pid);
    // Forgets the most so far.
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
    const began = performance.now();
    const answer = await fetch(`${url}/api/chat-rows.${format}?${range}`);
    if (!answer.ok || answer.body === null) throw new Error(`${format}: ${answer.status} ${await answer.text()}`);
    await answer.body.pipeTo(new WritableStream());
    return {
      ...{ rows: total, seconds: (performance.now() - began) / 1000 },
      ...{ processor_seconds: processorSeconds(pid) - before_seconds, grown_mb: most_mb(pid) - before_mb },
    };
  } finally {
    await end();
  }
}
