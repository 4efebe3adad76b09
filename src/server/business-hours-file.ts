// The file that defines business hours in place of the page: JSON, keyed by account ids.
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { businessHoursShape, keptHours } from '#api/contract/business-hours.ts';
import type { BusinessHours } from '#warehouse/business-hours.ts';
import { refusal_words } from '#warehouse/refusal-words.ts';

const file = z.record(z.string(), businessHoursShape);
const most_bytes = 1024 * 1024;

const example = `JSON like {"default": {"hours": [{"timezone": "Europe/Warsaw", "week": {"mon": ["09:00-17:00"]}}]}}, by the ids of accounts`;

type HoursInFile = { hours: ReadonlyMap<string, BusinessHours> } | { wrong: string };

export function hoursInFile(path: string): HoursInFile {
  let written: unknown;
  try {
    const about = statSync(path);
    if (!about.isFile()) return { wrong: `is no file: name one with ${example}` };
    if (about.size > most_bytes)
      return { wrong: `is longer than ${most_bytes} bytes: keep business hours alone in it` };
    written = JSON.parse(readFileSync(path, 'utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    if (error instanceof SyntaxError) return { wrong: `is not JSON (${error.message}): write ${example}` };
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { wrong: `cannot be read (${code}): name a file that this user may read, with ${example}` };
  }
  const parsed = file.safeParse(written, refusal_words);
  if (parsed.success)
    return { hours: new Map(Object.entries(parsed.data).map(([account, shape]) => [account, keptHours(shape)])) };
  const told = parsed.error.issues.map(({ path: place, message }) => `${place.join('.') || 'all of it'}: ${message}`);
  return { wrong: `is wrong at ${told.join('; ')}` };
}

/** A sentence about a file that cannot be used, or nothing. */
export function wrongHours(path: string): string | undefined {
  const found = hoursInFile(path);
  return 'wrong' in found ? found.wrong : undefined;
}
