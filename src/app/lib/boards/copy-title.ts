// The title of a copy of a board: as long as a title may be, and not that of another board.
import { longest_title } from '#dashboards/longest-title.ts';
import { copyWords } from './list-words.ts';

/** `taken`: titles of the boards of whoever makes the copy. */
export function copyTitle(title: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const end = copyWords.end(count);
    const signs = [...title];
    while (signs.join('').length + end.length > longest_title) signs.pop();
    const found = signs.join('').trimEnd() + end;
    if (!taken.has(found)) return found;
  }
}
