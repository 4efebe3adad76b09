// The one place that words what is wrong with a value from outside, where its shape has no words of its own: what to write there instead.
import type { z } from 'zod';

type Wrong = z.core.$ZodRawIssue;

const kinds: Readonly<Record<string, string>> = {
  ...{ string: 'a text', number: 'a number', int: 'a whole number', boolean: 'true or false', array: 'a list' },
  ...{ object: 'an object', record: 'an object', null: 'null' },
};

const formats: Readonly<Record<string, string>> = {
  date: 'a day that there is, written as 2026-11-01',
  datetime: 'an instant, written as 2026-11-01T08:00:00Z',
  email: 'an e-mail address',
  url: 'an address such as https://example.com',
  base64: 'base64',
};

const listed = (values: readonly unknown[]): string => values.map(String).join(', ');

const choices = (values: readonly unknown[]): string =>
  values.length === 1 ? listed(values) : `one of ${listed(values)}`;

const parts: Readonly<Record<string, string>> = { string: 'character', array: 'entry' };

/** `least` and `most` of characters, of entries, or of the number itself. */
function sizeOf(origin: string, words: 'at least' | 'at most', bound: unknown, isExact: boolean): string {
  const part = parts[origin];
  if (part === undefined) return `must be ${isExact ? '' : `${words} `}${String(bound)}`;
  const named = Number(bound) === 1 ? part : part === 'entry' ? 'entries' : `${part}s`;
  return `must have ${isExact ? '' : `${words} `}${String(bound)} ${named}`;
}

/** Names that an object may have. */
function namesIn(schema: unknown): string[] {
  const { shape = {} } = (schema as { def?: { shape?: object } } | undefined)?.def ?? {};
  return Object.keys(shape);
}

const beginning = /^must be (given, as )?/;

/** Any of several shapes, each with what it would take. */
function anyOf(branches: readonly (readonly z.core.$ZodIssue[])[], isMissing: boolean): string {
  const told = branches.map((issues) =>
    issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(' ')).join(' and '),
  );
  const different = [...new Set(told)];
  return different.every((words) => beginning.test(words))
    ? `${isMissing ? 'must be given, as' : 'must be'} ${different.map((words) => words.replace(beginning, '')).join(' or ')}`
    : different.join(', or ');
}

/** What to write instead, to stand behind the name of the place; undefined: there are no words for it here. */
function wordsFor(wrong: Wrong): string | undefined {
  const must = wrong.input === undefined ? 'must be given, as' : 'must be';
  switch (wrong.code) {
    case 'invalid_type':
      return `${must} ${kinds[wrong.expected] ?? wrong.expected}`;
    case 'invalid_value':
      return `${must} ${choices(wrong.values)}`;
    case 'invalid_format':
      return wrong.format === 'regex'
        ? `must be written as ${wrong.pattern}`
        : `must be ${formats[wrong.format] ?? `of the format ${wrong.format}`}`;
    case 'too_small':
      if (wrong.origin === 'string' && wrong.minimum === 1) return 'must not be empty';
      if (wrong.inclusive === false) return `must be more than ${wrong.minimum}`;
      return sizeOf(wrong.origin, 'at least', wrong.minimum, wrong.exact === true);
    case 'too_big':
      if (wrong.inclusive === false) return `must be less than ${wrong.maximum}`;
      return sizeOf(wrong.origin, 'at most', wrong.maximum, wrong.exact === true);
    case 'not_multiple_of':
      return `must be a multiple of ${wrong.divisor}`;
    case 'unrecognized_keys': {
      const known = namesIn(wrong.inst);
      return `there is no field ${listed(wrong.keys)}${known.length > 0 ? `, only ${listed(known)}` : ''}`;
    }
    case 'invalid_key':
      return wrong.issues[0]?.message;
    case 'invalid_union':
      if (Array.isArray(wrong.options)) return `must be one of ${listed(wrong.options)}`;
      return wrong.errors.length > 0 ? anyOf(wrong.errors, wrong.input === undefined) : undefined;
    default:
      return undefined;
  }
}

/** For `safeParse`: `error` of its second argument. */
export const refusal_words: { error: z.core.$ZodErrorMap } = { error: wordsFor };
