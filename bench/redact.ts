// What redaction adds to decoding: chats of the simulated account, decoded with and without rules.
import { hash } from 'node:crypto';
import { decodeRecord } from '#etl/decode/record.ts';
import { patternsIn } from '#etl/redact/patterns.ts';
import { noRedaction, redactionBy, type Redaction } from '#etl/redact/redaction.ts';
import { knownRules } from '#etl/redact/rules.ts';
import { shownChat } from '#service/archive/show.ts';
import { createWorld, type Carry } from '#service/world/world.ts';
import { zoneNamed } from '#service/zone.ts';
import { printTable, shown } from './clock.ts';

const zone = 'Europe/Warsaw';
const patterns =
  'customer: K-[0-9]{6}\ncontract: (?i)contract\\s*(?:nr|no)?\\.?\\s*[0-9]{4,10}\npassport: \\b[A-Z]{2}[0-9]{7}\\b';
const ways: readonly (readonly [string, Redaction])[] = [
  ['nothing', noRedaction],
  [knownRules.join(', '), redactionBy({ known: knownRules, patterns: [] })],
  ['these and three own patterns', redactionBy({ known: knownRules, patterns: patternsIn(patterns, knownRules) })],
];
const bounds = { first: -Infinity, last: Infinity };
const runs = 9;

export function benchRedaction(chats: number): void {
  const records = recordsOf(chats);
  const times = ways.map((): number[] => []);
  for (let run = 0; run < runs; run += 1)
    for (const [place, [, redaction]] of ways.entries()) times[place]?.push(timeOf(records, redaction));
  const messages = records.reduce((sum, record) => sum + messagesIn(record), 0);
  const [without = NaN] = times.map((each) => Math.min(...each));
  console.log(`\nredaction: ${records.length} chats with ${messages} messages, read, hashed and decoded`);
  printTable(
    ['redacted', 'µs a chat', 'µs more a message', '% more'],
    ways.map(([name], place) => {
      const time = Math.min(...(times[place] ?? []));
      const more = time - without;
      return [name, shown(time / records.length), shown(more / messages), shown((100 * more) / without)];
    }),
  );
}

function recordsOf(chats: number): string[] {
  const world = createWorld({ seed: 3, zone, firstDay: '2026-01-01' });
  const records: string[] = [];
  let carry: Carry | null = null;
  for (let day = 0; records.length < chats; day += 1) {
    const made = world.day(day, carry);
    carry = made.carry;
    for (const chat of made.records.chats) records.push(JSON.stringify(shownChat(chat, zoneNamed(zone), chat.ended)));
  }
  return records.slice(0, chats);
}

function decoded(text: string, redaction: Redaction): ReturnType<typeof decodeRecord> {
  const record: unknown = JSON.parse(text);
  const content_hash = hash('sha1', JSON.stringify(record), 'base64url');
  return decodeRecord(record, { account: 'default', pull_id: 'p', content_hash, redaction }, bounds);
}

function messagesIn(text: string): number {
  const rows = decoded(text, noRedaction);
  return typeof rows === 'string' ? 0 : rows.messages.length;
}

/** Microseconds of this thread; the shortest of several runs is least affected by other load. */
function timeOf(records: readonly string[], redaction: Redaction): number {
  const began = process.threadCpuUsage().user;
  for (const text of records) decoded(text, redaction);
  return process.threadCpuUsage().user - began;
}
