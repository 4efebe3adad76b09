// What a statement may take by the role of whoever asks, and what is said to those who need more.
import type { SqlLimits } from '#api/contract/sql.ts';
import type { Exceeded } from '#warehouse/engines/console-error.ts';

/** A file has this many times the rows and the time of an answer. */
export const file_rows_factor = 100;
export const file_seconds_factor = 4;

/** Besides what the engine takes, for the program around it; twice, as a second engine writes Parquet. */
export const processBytes = ({ memory_bytes }: SqlLimits): number => 2 * memory_bytes + 200e6;

/** As settings write them: `512 MB`, `1.5 GB`. */
function sizeOf(bytes: number): string {
  const isLarge = bytes >= 1e9;
  return `${(bytes / (isLarge ? 1e9 : 1e6)).toLocaleString('en', { maximumFractionDigits: 1 })} ${isLarge ? 'GB' : 'MB'}`;
}

/** Said of a file that does not open; another try opens the one in its place. */
export const replacedWords = 'the snapshot was replaced meanwhile or is damaged: ask again';

const whole = 'ask for less';

export function exceededWords(what: Exceeded | 'time', limits: SqlLimits, seconds: number): string {
  const yours = `for your role (${limits.role})`;
  const sentences: Record<typeof what, string> = {
    time: `it was stopped at the limit of ${seconds.toLocaleString('en')} s ${yours}: ${whole}`,
    memory: `it needs more than the limit of ${sizeOf(limits.memory_bytes)} of memory ${yours}: ${whole}`,
    disk: `it needs more than the limit of ${sizeOf(limits.spill_bytes)} on the disk, beside that of memory, ${yours}: ${whole}`,
    rows: `it has more rows than the limit of ${limits.file_rows.toLocaleString('en')} in a file ${yours}: ask for fewer rows, or export whole tables`,
  };
  return sentences[what];
}
