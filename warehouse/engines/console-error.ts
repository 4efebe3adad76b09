// What is wrong with a statement of a person, in words, with its place in the text or the parameters that it is about.

/** A limit of the statement that it would go beyond: of memory, of the disk beside it, or of rows in a file. */
export type Exceeded = 'memory' | 'disk' | 'rows';

/** The statement cannot be answered: mostly in the engine's own words. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  /** Where in the statement, both from 1; null where the engine does not say. */
  readonly place: { line: number; column: number } | null;
  /** Names of the parameters that lack a value or have a wrong one. */
  readonly parameters: readonly string[];
  /** Null: it is about something else. */
  readonly exceeded: Exceeded | null;
  constructor(message: string, parameters: readonly string[] = [], exceeded: Exceeded | null = null) {
    const { words, place } = told(message);
    super(words);
    this.place = place;
    this.parameters = parameters;
    this.exceeded = exceeded;
  }
}

/** The engine repeats the line with a caret below the place: `LINE 2: select x` and `^`. */
function told(said: string): { words: string; place: ConsoleError['place'] } {
  const message = said.replace(/^Failed to \w+ statements?: /, '');
  const [, words = '', line = '', shown = '', before = ''] =
    /^([^]*?)\n\n?LINE (\d+): (.*)\n( *)\^/.exec(message) ?? [];
  if (line === '') return { words: message, place: null };
  const head = `LINE ${line}: `.length;
  // Of a long line only a part is shown.
  const column = shown.startsWith('...') ? 1 : Math.max(1, before.length - head + 1);
  return { words, place: { line: Number(line), column } };
}
