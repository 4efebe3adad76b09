// Redaction settings: names of rules, and a file with the owner's patterns.
import { readFileSync, statSync } from 'node:fs';
import { patternsIn, WrongPattern, type Pattern } from '#etl/redact/patterns.ts';
import { knownRules, type KnownRule, type Rules } from '#etl/redact/rules.ts';
import { Stopped } from './errors.ts';
import type { Maybe } from './settings.ts';

const entriesIn = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);

const isKnown = (name: string): name is KnownRule => (knownRules as readonly string[]).includes(name);

/** A sentence about a list of rules that is wrong, or nothing. */
export function wrongRuleNames(list: string): string | undefined {
  const entries = entriesIn(list);
  return entries.length > 0 && entries.every(isKnown)
    ? undefined
    : `must be some of ${knownRules.join(', ')}, with commas between them`;
}

const most_bytes = 256 * 1024;
const example = "a line for each pattern, like 'customer number: K-[0-9]{6}'";

/** A sentence about a file of patterns that cannot be used, or nothing. */
export function wrongPatterns(path: string): string | undefined {
  const found = patternsOf(path);
  return 'wrong' in found ? found.wrong : undefined;
}

function patternsOf(path: string): { patterns: Pattern[] } | { wrong: string } {
  try {
    const about = statSync(path);
    if (!about.isFile()) return { wrong: `is no file: name a text file with ${example}` };
    if (about.size > most_bytes) return { wrong: `is longer than ${most_bytes} bytes: keep patterns alone in it` };
    const patterns = patternsIn(readFileSync(path, 'utf8'), knownRules);
    return patterns.length > 0 ? { patterns } : { wrong: `has no pattern in it: write ${example}` };
  } catch (error) {
    if (error instanceof WrongPattern) return { wrong: error.message };
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { wrong: `cannot be read (${code}): name a text file that this user may read, with ${example}` };
  }
}

/** For validated values; a file that has changed since is reported as a sentence. */
export function rulesOf(list: string | null, path: string | null): Rules | { wrong: string } {
  const found = path === null ? { patterns: [] } : patternsOf(path);
  if ('wrong' in found) return { wrong: `${path} ${found.wrong}` };
  return { known: knownRules.filter((name) => entriesIn(list ?? '').includes(name)), patterns: found.patterns };
}

/** As it is set. @throws Stopped if the file of patterns has become invalid since it was validated. */
export function redactionOf(maybe: Maybe): Rules {
  const rules = rulesOf(maybe('CHATLEDGER_REDACT'), maybe('CHATLEDGER_REDACT_FILE'));
  if ('wrong' in rules) throw new Stopped(`CHATLEDGER_REDACT_FILE=${rules.wrong}`);
  return rules;
}
