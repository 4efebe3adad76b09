// Tries rules of redaction on the raw archive: how often each finds something, and a few places. Nothing is written.
import { addDays } from '#etl/days.ts';
import { decodeRecord } from '#etl/decode/record.ts';
import { decodeThreadRecord } from '#etl/decode/thread-record.ts';
import { isThreaded } from '#etl/erased/subject.ts';
import { redactedRecord } from '#etl/redact/record.ts';
import { placesIn, without, type RedactionMatch, type Redaction } from '#etl/redact/redaction.ts';
import { knownRules, rulesIn, type RedactionRule, type Rules } from '#etl/redact/rules.ts';
import type { ErasureFilter } from '#etl/erased/erased.ts';
import type { Engine } from '#warehouse/engine.ts';
import { daysOfChats, newestUnder } from '#warehouse/raw/newest-chats.ts';

interface Example {
  account: string;
  chat: string;
  /** The text around the match; the match itself is described by rule and length. */
  text: string;
}

interface RuleTried {
  rule: string;
  chats: number;
  places: number;
  examples: Example[];
}

export interface Trial {
  /** Chats that were read. */
  chats: number;
  rules: RuleTried[];
}

interface TrialSetup {
  archive: Engine;
  erased: ErasureFilter;
  accounts: readonly string[];
  rules: Rules;
  /** The newest chats of each account, up to this number; all by default. */
  limit?: number | undefined;
  onProgress?: (account: string, day: string, chats: number) => void;
}

const most_examples = 3;
const around = 30;
/** A chat may be listed under days into which it ran. */
const days_near = 4;

export async function tryRules(setup: TrialSetup): Promise<Trial> {
  const { archive, erased, accounts, limit = Infinity, onProgress } = setup;
  const tried = createTally(setup.rules);
  for (const account of accounts) {
    let read = 0;
    for (const day of await daysOfChats(archive, account)) {
      if (read >= limit) break;
      onProgress?.(account, day, read);
      const near = { from: addDays(day, -days_near), to: addDays(day, days_near) };
      for await (const rows of newestUnder(archive, account, day, near))
        for (const { chat_id, body } of rows) {
          if (read >= limit) continue;
          read += 1;
          tried.add(account, String(chat_id), erased.record(account, JSON.parse(String(body)), day));
        }
    }
  }
  return tried.trial();
}

function createTally(rules: Rules) {
  const all = rulesIn(rules);
  const shown = rulesIn({ known: knownRules, patterns: rules.patterns });
  const trial: Trial = { chats: 0, rules: all.map(({ name }) => ({ rule: name, chats: 0, places: 0, examples: [] })) };
  return {
    trial: () => trial,
    add(account: string, chat: string, record: unknown): void {
      trial.chats += 1;
      const texts = textsOf(record);
      for (const tried of trial.rules) {
        const rule = all.filter(({ name }) => name === tried.rule);
        let places = 0;
        for (const text of texts) {
          const found = placesIn(rule, text);
          places += found.length;
          const [first] = found;
          if (first && tried.examples.length < most_examples && places === found.length)
            tried.examples.push({ account, chat, text: exampleOf(text, first, shown) });
        }
        tried.places += places;
        tried.chats += places > 0 ? 1 : 0;
      }
    },
  };
}

/** Every text that decoding would redact; for a record that cannot be decoded, all of its texts. */
function textsOf(record: unknown): string[] {
  const texts: string[] = [];
  const redaction: Redaction = { fingerprint: 'trial', text: (text) => (texts.push(text), text) };
  const from = { account: '', pull_id: '', content_hash: '', redaction };
  const bounds = { first: -Infinity, last: Infinity };
  const decode = isThreaded(record) ? decodeThreadRecord : decodeRecord;
  if (typeof decode(record, from, bounds) === 'string') {
    texts.length = 0;
    redactedRecord(record, redaction);
  }
  return texts;
}

/** Whatever any rule finds around the place is dots. */
function exampleOf(text: string, { rule, start, end }: RedactionMatch, rules: readonly RedactionRule[]): string {
  const found = placesIn(rules, text);
  const part = (from: number, to: number): string => {
    const begin = Math.max(0, from);
    const own = found.filter((each) => each.start < to && each.end > begin);
    const inside = own.map((each) => ({ start: Math.max(0, each.start - begin), end: Math.min(to, each.end) - begin }));
    return without(text.slice(begin, to), inside).toWellFormed();
  };
  const [before, after] = [part(start - around, start), part(end, Math.min(text.length, end + around))];
  const length = [...text.slice(start, end)].length;
  const line = `${start > around ? '…' : ''}${before}[${rule}: ${length} characters]${after}${end + around < text.length ? '…' : ''}`;
  return line.replace(/\s+/g, ' ').trim();
}
