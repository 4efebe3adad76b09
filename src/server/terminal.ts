// All output to terminals and logs goes through this file, which makes hidden characters visible.
import { format } from 'node:util';
import { requestId } from '#api/request-id.ts';
import { traceId } from './tracing/current.ts';

/**
 * Characters that a terminal interprets instead of displaying: control characters (C0, DEL, C1), line and paragraph separators, and marks
 * that change the writing direction.
 */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** Those that JSON does not escape. */
const unseenInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hexOf = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0');

const escapeOf = (character: string): string =>
  named[character] ?? (character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`);

/** The text as one line that a terminal only shows: an escape character becomes `\x1b`, a line break `\n`. */
export const shown = (text: string): string => text.replace(unseen, escapeOf);

const escapeInJson = (character: string): string => `\\u${hexOf(character, 4)}`;

/** JSON with escaped hidden characters; any parser returns the original. */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(unseenInJson, escapeInJson);

// The reader of the output may be gone; that must not end a server, and a command has nobody to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

type LogLevel = 'info' | 'warn' | 'error';

/** Takes lines of the log as records; the first line is the message. */
export type LogRecords = (
  level: LogLevel,
  lines: readonly string[],
  fields?: Readonly<Record<string, string | number | undefined>>,
) => void;

/** Null: the log is text. */
let records: LogRecords | null = null;

const secrets: string[] = [];

/** What the log as records must not hold; it may grow while the program runs. */
export const secretsOfLog: readonly string[] = secrets;

export const keepFromLog = (more: readonly string[]): void => void secrets.push(...more);

/** From now on what is said to the operator goes to these records; requested output stays as it is. */
export function takeLog(log: LogRecords): void {
  records = log;
}

/** A record for programs; a log that is text gets none. */
export const logRecord: LogRecords = (...record) => records?.(...record);

/** Where records end: a line of JSON on standard error. */
export const writeRecord = (line: string): void => void process.stderr.write(line.replace(unseenInJson, escapeInJson));

const write = (stream: NodeJS.WriteStream, lines: readonly string[]): void => {
  if (lines.length > 0) stream.write(lines.map((line) => `${shown(line)}\n`).join(''));
};

/** Requested output: lines on standard output. */
export const out = (...lines: readonly string[]): void => write(process.stdout, lines);

/** Requested output, as JSON on standard output. */
export const outJson = (value: unknown, indent?: number): void =>
  void process.stdout.write(`${jsonOf(value, indent)}\n`);

/** Messages for the operator, on standard error; what a request causes names the request. */
function tell(level: LogLevel, lines: readonly string[], prefix = ''): void {
  const [first, ...more] = lines;
  if (first === undefined) return;
  const request_id = requestId();
  if (records) return records(level, lines, { request_id, trace_id: traceId() });
  const cause = request_id === undefined ? '' : ` (request ${request_id})`;
  write(process.stderr, [`${prefix}${first}${cause}`, ...more]);
}

/** Something that the operator should know. */
export const complain = (...lines: readonly string[]): void => tell('warn', lines);

/** Something that went wrong, with what is known of it. */
export const complainOf = (error: unknown, ...sentences: readonly string[]): void =>
  tell('error', [...sentences, ...linesOf(error)]);

/** A sentence of the program itself. */
export const say = (sentence: string, level: LogLevel = 'warn'): void => tell(level, [sentence], 'chatledger: ');

/** What a long-lived command is doing: a line on standard output, or a record. */
export const announce = (sentence: string): void => (records ? records('info', [sentence]) : out(sentence));

/** One progress line on a terminal, overwritten by the next; logs get none. `is_over`: the next one starts on a new line. */
export function showProgress(words: string, is_over = false): void {
  if (process.stderr.isTTY && !records) process.stderr.write(`\r\x1b[K${shown(words)}${is_over ? '\n' : ''}`);
}

/** An unexpected error for the log: its message on one line, followed by the stack. */
export function linesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [String(error)];
  const words = `${error.name}: ${error.message}`;
  const { stack = '' } = error;
  const begins = stack.indexOf(error.message);
  const places =
    begins < 0
      ? []
      : stack
          .slice(begins + error.message.length)
          .split('\n')
          .slice(1);
  return [words, ...places, ...(error.cause === undefined ? [] : linesOf(error.cause).map((line) => `  ${line}`))];
}

/** Libraries, and the pages when they fail, write to the console. */
export function takeConsole(): void {
  const hear = (...words: readonly unknown[]): void => {
    const texts = words.map((word) => (word instanceof Error ? linesOf(word) : word));
    const lines = texts.filter(Array.isArray).flat() as string[];
    const rest = texts.filter((text) => !Array.isArray(text));
    tell(lines.length > 0 ? 'error' : 'warn', [...(rest.length > 0 ? [format(...rest)] : []), ...lines]);
  };
  for (const name of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) console[name] = hear;
}

/** Resolves when all output has been written: exiting earlier would truncate it for a slow reader. */
export async function allWritten(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.destroyed || stream.writableLength === 0) return resolve();
          stream.once('close', resolve).write('', () => resolve());
        }),
    ),
  );
}

export interface Terminal {
  say(sentence: string): void;
  /** Something that the operator should know. */
  warn(sentence: string): void;
  /** Something for a person alone, such as a first password: in no record. */
  sayOnce(sentence: string): void;
  progress(words: string): void;
  /** The first snapshot is worth a sentence, later ones are not. `since`: the first day from which on nothing is missing, if one before it is. */
  published(since: string | null): void;
}

/** Without a terminal (a log file) progress is written at most this often. */
const log_every_ms = 5000;

/** Output of `start`: permanent sentences, and one progress line that is overwritten on a terminal. */
export function createTerminal(stream: NodeJS.WriteStream = process.stdout): Terminal {
  const began = performance.now();
  let logged = 0;
  let has_snapshot = false;
  const stamped = (words: string): string =>
    `${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${shown(words)}`;
  const show = (sentence: string): void => void stream.write(`${stream.isTTY ? '\r\x1b[K' : ''}${stamped(sentence)}\n`);
  const terminal: Terminal = {
    say: (sentence) => (records ? records('info', [sentence]) : show(sentence)),
    warn: (sentence) => (records ? records('warn', [sentence]) : show(sentence)),
    sayOnce: show,
    progress(words) {
      if (stream.isTTY && !records) return void stream.write(`\r\x1b[K${stamped(words)}`);
      if (performance.now() - logged < log_every_ms) return;
      logged = performance.now();
      terminal.say(words);
    },
    published(since) {
      const from = since === null ? '' : ` from ${since} on, earlier days follow`;
      if (!has_snapshot) terminal.say(`the first snapshot is published: dashboards have numbers${from}`);
      has_snapshot = true;
    },
  };
  return terminal;
}
