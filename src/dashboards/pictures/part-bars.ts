// Bars of weeks and months of which the range covers a part: paler than whole ones, and said in the key.
import { isUnsettled, type AnswerRow } from '../answer.ts';
import { read } from '../periods.ts';
import type { ThemeToken } from '../theme.ts';
import { words } from '../words.ts';
import type { KeyEntry } from './picture.ts';
import type { Tracks } from './telling.ts';

export const part_opacity = 0.4;

/** Hatched bars are in the key already. */
export function partKey(
  labels: readonly string[],
  rows: readonly (AnswerRow | undefined)[],
  parts: Tracks['parts'],
  token: ThemeToken,
): KeyEntry[] {
  const at = parts.findIndex((part, index) => part !== undefined && rows[index] && !isUnsettled(rows[index]));
  if (at < 0) return [];
  return [{ token, label: words.partKey(read(labels[at] ?? '').kind), mark: 'band' }];
}
