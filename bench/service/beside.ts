// How long small questions wait while one about the whole account is answered.
import { elapsed } from '../clock.ts';

/** Milliseconds: of the question, and the longest of small ones that are asked one after the other meanwhile. */
export async function askBeside(
  whole: () => Promise<unknown>,
  small: () => Promise<unknown>,
): Promise<{ took: number; longest: number }> {
  let is_answered = false;
  const asking = elapsed(whole).finally(() => (is_answered = true));
  let longest = 0;
  do longest = Math.max(longest, await elapsed(small));
  while (!is_answered);
  return { took: await asking, longest };
}
