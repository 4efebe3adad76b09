// All output to terminals and logs goes through this file, which makes hidden characters visible.
import { format } from 'node:util';

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

/** JSON with escaped hidden characters; any parser returns the original. */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(unseenInJson, (character) => `\\u${hexOf(character, 4)}`);

// The reader of the output may be gone; that must not end a server, and a command has nobody to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const write = (stream: NodeJS.WriteStream, lines: readonly string[]): void => {
  if (lines.length > 0) stream.write(lines.map((line) => `${shown(line)}\n`).join(''));
};

/** Requested output: lines on standard output. */
export const out = (...lines: readonly string[]): void => write(process.stdout, lines);

/** Requested output, as JSON on standard output. */
export const outJson = (value: unknown, indent?: number): void =>
  void process.stdout.write(`${jsonOf(value, indent)}\n`);

/** Messages for the operator: lines on standard error. */
export const complain = (...lines: readonly string[]): void => write(process.stderr, lines);

/** A sentence of the program itself, on standard error. */
export const say = (sentence: string): void => complain(`chatledger: ${sentence}`);

/** One progress line on a terminal, overwritten by the next; logs get none. `is_over`: the next one starts on a new line. */
export function showProgress(words: string, is_over = false): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${shown(words)}${is_over ? '\n' : ''}`);
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
  const tell = (...words: readonly unknown[]): void => {
    const texts = words.map((word) => (word instanceof Error ? linesOf(word) : word));
    const lines = texts.filter(Array.isArray).flat() as string[];
    const rest = texts.filter((text) => !Array.isArray(text));
    complain(...(rest.length > 0 ? [format(...rest)] : []), ...lines);
  };
  for (const name of ['debug', 'error', 'info', 'log', 'trace', 'warn'] as const) console[name] = tell;
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
  progress(words: string): void;
  /** The first snapshot is worth a sentence, later ones are not. */
  published(): void;
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
  const terminal: Terminal = {
    say: (sentence) => void stream.write(`${stream.isTTY ? '\r\x1b[K' : ''}${stamped(sentence)}\n`),
    progress(words) {
      if (stream.isTTY) return void stream.write(`\r\x1b[K${stamped(words)}`);
      if (performance.now() - logged < log_every_ms) return;
      logged = performance.now();
      stream.write(`${stamped(words)}\n`);
    },
    published() {
      if (!has_snapshot) terminal.say('the first snapshot is published: dashboards have numbers');
      has_snapshot = true;
    },
  };
  return terminal;
}
