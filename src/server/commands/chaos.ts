// `chatledger service --chaos`: reads a plan from a file or the command line, lists the faults, and reports what was done.
import { existsSync, readFileSync } from 'node:fs';
import type { ChaosReport } from '#service/chaos/chaos.ts';
import { effects, harms } from '#service/chaos/fault.ts';
import { faults } from '#service/chaos/faults.ts';
import { BadPlan, chaosPlan, type ChaosPlan } from '#service/chaos/plan.ts';
import { Stopped } from '../errors.ts';

/** @throws Stopped (exit code 2) naming the problem with the plan and the choices. */
export function readPlan(given: string): ChaosPlan {
  const is_file = existsSync(given);
  if (!is_file && !/[=@]/.test(given))
    throw new Stopped(`--chaos ${given}: there is no such file, and it is no plan like seed=7,reset=0.05,500=0.1`);
  try {
    return chaosPlan(is_file ? (JSON.parse(readFileSync(given, 'utf8')) as unknown) : given);
  } catch (error) {
    if (error instanceof BadPlan) throw new Stopped(`--chaos: ${error.message}`);
    if (is_file) throw new Stopped(`--chaos ${given}: the file is not readable as JSON (${String(error)})`);
    throw error;
  }
}

/** What `--chaos help` prints. */
export function chaosHelp(): string[] {
  const longest = Math.max(...faults.map(({ name }) => name.length));
  const lines = harms.flatMap((harm) => [
    '',
    harm,
    ...faults
      .filter((each) => each.harm === harm)
      .map(({ name, fault }) => `  ${name.padEnd(longest)}  ${fault.effect.padEnd(9)} ${fault.what}`),
  ]);
  return [
    'chatledger service --chaos PLAN, where PLAN is a JSON file or a line like',
    '',
    '  seed=7,reset=0.05,500=0.1,429=0.02            each fault by its share of the requests',
    '  any=0.2    status=0.1,harmless=0.1            any fault; all faults of one harm or effect',
    '  html@/chats*#3x2                              the 3rd and 4th request whose path is /chats…',
    '  any=0.2,path=/reports/*,sticky=html+empty     only there; those two hit again at every try',
    '  hold_seconds=20,slow_seconds=2,retry_after_seconds=1',
    '',
    'The same seed does the same to the same questions. Unless a fault is sticky, the next try of a question is spared.',
    ...lines,
    '',
    'effects',
    ...Object.entries(effects).map(([name, what]) => `  ${name.padEnd(longest)}  ${what}`),
  ];
}

/** Summary of the plan's effects, for the end of a drill. */
export function describeFault({ arrived, reached, kept_away, hit, faults: counts }: ChaosReport): string[] {
  const most = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return [
    `${arrived} requests arrived: ${reached} reached the service, ${kept_away} were kept away; ${hit} faults`,
    ...most.map(([name, count]) => `${String(count).padStart(7)}  ${name}`),
  ];
}
