// The owner's own patterns: a name and an expression in the syntax of RE2, which takes time in proportion to the text, whatever
// the expression and the text are.
import { RE2JS } from 're2js';
import type { TextSpan } from '../erased/addresses.ts';

export interface Pattern {
  name: string;
  /** As it was written. */
  expression: string;
  /** Where the pattern matches in a text. */
  places(text: string): TextSpan[];
}

/** A file of patterns that cannot be used: which line, what, and what to do. */
export class WrongPattern extends Error {
  constructor(line: number, words: string) {
    super(`line ${line}: ${words}`);
    this.name = 'WrongPattern';
  }
}

const most_patterns = 100;
const longest_expression = 1000;
/** A pattern may match at every character: after this many matches, the rest of the text is redacted too. */
const most_places = 1000;
const written = /^\s*([\p{L}\p{N}][\p{L}\p{N} _.-]{0,59}?)\s*:\s*(.*\S)\s*$/u;

/**
 * Each line is `name: expression`; empty lines and lines starting with # are ignored. `taken` are names of other rules. @throws
 * WrongPattern for the first invalid line.
 */
export function patternsIn(file: string, taken: readonly string[]): Pattern[] {
  const names = new Set(taken);
  const patterns: Pattern[] = [];
  for (const [place, text] of file
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(?:#|$)/.test(text)) continue;
    const line = place + 1;
    const [, name = '', expression = ''] = written.exec(text) ?? [];
    if (name === '') throw new WrongPattern(line, 'is no pattern: write a name, a colon and an expression');
    if (names.has(name)) throw new WrongPattern(line, `there is a rule '${name}' already: choose another name`);
    if (patterns.length === most_patterns)
      throw new WrongPattern(line, `there are more than ${most_patterns} patterns: join some of them with |`);
    names.add(name);
    patterns.push({ name, expression, places: compiled(name, expression, line) });
  }
  return patterns;
}

function compiled(name: string, expression: string, line: number): Pattern['places'] {
  if (expression.length > longest_expression)
    throw new WrongPattern(line, `'${name}' has more than ${longest_expression} characters: write several patterns`);
  const re2 = programOf(name, expression, line);
  if (re2.test(''))
    throw new WrongPattern(line, `'${name}' is also found where nothing is: let it need at least one character`);
  return (text) => placesOf(re2, text);
}

function programOf(name: string, expression: string, line: number): RE2JS {
  try {
    return RE2JS.compile(expression);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '');
    const syntax = 'the syntax is that of RE2, which has no lookahead, lookbehind or backreference';
    throw new WrongPattern(line, `'${name}' is no expression (${reason}): correct it; ${syntax}`);
  }
}

function placesOf(re2: RE2JS, text: string): TextSpan[] {
  // Testing for a match is several times cheaper than locating it.
  if (!re2.test(text)) return [];
  const places: TextSpan[] = [];
  const matcher = re2.matcher(text);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (places.length === most_places) return [...places, { start, end: text.length }];
    if (end > start) places.push({ start, end });
  }
  return places;
}
