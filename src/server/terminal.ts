// The one place through which every line to a terminal or to a log goes: what a text hides there is shown.
import { format } from 'node:util';

/**
 * What a terminal obeys instead of showing it: control characters (C0, DEL, C1), separators of lines and paragraphs, and
 * marks that turn the order of letters round.
 */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
/** What JSON leaves as it is. */
const unseenInJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hexOf = (character: string, digits: number): string => character.charCodeAt(0).toString(16).padStart(digits, '0');

const escapeOf = (character: string): string =>
  named[character] ?? (character < '\u0100' ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`);

/** The text as one line that a terminal only shows: an escape character becomes `\x1b`, a line break `\n`. */
export const shown = (text: string): string => text.replace(unseen, escapeOf);

/** JSON whose texts are shown too; any reader of JSON gets back what went in. */
export const jsonOf = (value: unknown, indent?: number): string =>
  JSON.stringify(value, undefined, indent).replace(unseenInJson, (character) => `\\u${hexOf(character, 4)}`);

// Whoever read this may be gone; that ends no server, and a command has nobody to tell.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

const write = (stream: NodeJS.WriteStream, lines: readonly string[]): void => {
  if (lines.length > 0) stream.write(lines.map((line) => `${shown(line)}\n`).join(''));
};

/** What was asked for: lines on standard output. */
export const out = (...lines: readonly string[]): void => write(process.stdout, lines);

/** What was asked for, as JSON on standard output. */
export const outJson = (value: unknown, indent?: number): void =>
  void process.stdout.write(`${jsonOf(value, indent)}\n`);

/** What whoever runs the program must know: lines on standard error. */
export const complain = (...lines: readonly string[]): void => write(process.stderr, lines);

/** A sentence of the program itself, on standard error. */
export const say = (sentence: string): void => complain(`chatledger: ${sentence}`);

/** One line of progress on a terminal, overwritten by the next; in a log there is none. `is_over`: the next begins below. */
export function showProgress(words: string, is_over = false): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${shown(words)}${is_over ? '\n' : ''}`);
}

/** An error nobody expected, for the log: its words are one line, whatever they are, and then come the places. */
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

/** Resolves when everything is handed over that was written: leaving earlier would cut off what a slow reader is owed. */
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

/** What `start` shows: sentences that stay, and one line of progress that is overwritten where there is a terminal. */
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
