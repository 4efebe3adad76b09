// Whether a text has no statement: spaces, semicolons and comments alone. The engine's own words for that are an error of its driver.

/** The text after its first comment, which may hold others; one that is not closed goes on to the end. */
function afterComment(text: string): string {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return text.slice(index + mark.length);
  }
  return '';
}

/** Why such a text is neither run nor saved. */
export const no_statement = 'there is no statement in it: write one that reads, such as select 1';

export function hasStatement(text: string): boolean {
  let rest = text;
  for (;;) {
    rest = rest.replace(/^[\s;]+/, '');
    if (rest.startsWith('--')) rest = rest.replace(/^[^\n\r]*/, '');
    else if (rest.startsWith('/*')) rest = afterComment(rest);
    else break;
  }
  return rest !== '';
}
