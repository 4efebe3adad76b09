// `chatledger compare-sources`: how the two archives differ on the same chats, before an account is switched over.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '#contract/query.ts';
import { notGiven } from '#etl/decode/threads.ts';
import type { Row } from '#warehouse/engine.ts';
import { openWarehouse } from '#warehouse/store/open.ts';
import { daysOfBoth, sourceDifferences } from '#warehouse/read/source-differences.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { out, outJson } from '../terminal.ts';

interface CompareOptions {
  since?: string;
  until?: string;
  json?: boolean;
}

/** Days that were compared, with the chats of list_archives and how many of all differ; then every difference. */
interface SourceComparison {
  days: Row[];
  differences: Row[];
}

const most_printed = 20;

export async function compareSources(options: CompareOptions): Promise<void> {
  const { since = '2000-01-01', until = '9999-12-31' } = options;
  for (const [name, value] of Object.entries({ since: options.since, until: options.until }))
    if (value !== undefined && !day.safeParse(value).success)
      throw new Stopped(`--${name} ${value} must be a date like 2026-01-31, not before 2000-01-01`);
  if (since > until) throw new Stopped(`--since ${since} lies after --until ${until}`);
  const file = join(openFolder(readConfig().folder).published, newestName);
  if (!existsSync(file))
    throw new Stopped(`${file} does not exist: run 'npx chatledger start' or 'npx chatledger pull' first`);
  const engine = await openWarehouse(file, { readOnly: true });
  try {
    const compared: SourceComparison = {
      days: await daysOfBoth(engine, since, until),
      differences: await sourceDifferences(engine, since, until),
    };
    if (compared.days.length === 0)
      throw new Stopped('no day has been compared: set CHATLEDGER_ARCHIVE_SOURCE=both and pull, then ask again');
    if (options.json) outJson({ ...compared, not_compared: notGiven });
    else print(compared);
    if (compared.differences.length > 0) process.exitCode = exitCodes.failed;
  } finally {
    await engine.close();
  }
}

function print({ days, differences }: SourceComparison): void {
  const sum = (name: string): number => days.reduce((total, each) => total + Number(each[name]), 0);
  for (const each of days.filter(({ differing }) => Number(differing) > 0))
    out(`${String(each.day)}  ${String(each.differing)} of ${String(each.chats)} chats differ`);
  for (const each of differences.slice(0, most_printed)) out(sentenceOf(each));
  const more = differences.length - most_printed;
  if (more > 0) out(`and ${more} more differences; --json names them all`);
  out(
    `${days.length} days, ${sum('chats')} chats compared, ${sum('differing')} differ in ${differences.length} fields`,
  );
  out('not compared, because v3.5 does not give them as v2.0 does:');
  for (const { field, reason } of notGiven) out(`  ${field}: ${reason}`);
}

const longest = 60;
/** One line a difference. */
const quoted = (value: unknown): string => {
  if (value === null) return 'nothing';
  const text = String(value);
  return `'${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}'`;
};

const sentenceOf = ({ day: on, chat_id, field, rest_v2, agent_v3 }: Row): string =>
  `${String(on)} ${String(chat_id)}: ${String(field)} is ${quoted(rest_v2)} in rest_v2, ${quoted(agent_v3)} in agent_v3`;
