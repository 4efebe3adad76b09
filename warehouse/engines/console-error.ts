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
  constructor(message: string, parameters: readonly string[] = [], exceeded: Exceeded | null = null, statement = '') {
    const { words, place } = told(message, statement);
    super(words);
    this.place = place;
    this.parameters = parameters;
    this.exceeded = exceeded;
  }
}

/** The engine repeats the line with a caret below the place: `LINE 2: select x` and `^`. Of a long line it shows a part: `LINE 2: ...x from y...`. */
function told(said: string, statement: string): { words: string; place: ConsoleError['place'] } {
  const message = said.replace(/^Failed to \w+ statements?: /, '');
  const [, words = '', line = '', shown = '', before = ''] =
    /^([^]*?)\n\n?LINE (\d+): (.*)\n( *)\^/.exec(message) ?? [];
  if (line === '') return { words: message, place: null };
  const within = before.length - `LINE ${line}: `.length;
  const [, cut = '', part = ''] = /^(\.\.\.)?(.*?)(?:\.\.\.)?$/.exec(shown) ?? [];
  const from = cut === '' ? 0 : (statement.split('\n')[Number(line) - 1] ?? '').indexOf(part);
  const column = from < 0 ? 1 : Math.max(1, from + within - cut.length + 1);
  return { words, place: { line: Number(line), column } };
}
