// Schema for panels of a board in external input.
import { z } from 'zod';
import { most_panels, sizes } from './boards.ts';
import { longest_title } from './longest-title.ts';
import { splitNames } from './splits.ts';
import { variableSplits } from './variables.ts';

const title = z
  .string()
  .trim()
  .min(1, { error: 'must not be empty' })
  .max(longest_title, { error: `must have at most ${longest_title} characters` })
  .regex(/^\P{Cc}*$/u, { error: 'must be one line of text' });

const split = z.union(
  [
    z.enum([...splitNames, 'none']),
    z.templateLiteral(['variable:', z.string()]).check(z.regex(new RegExp(`^${variableSplits}$`))),
  ],
  { error: `must be ${splitNames.join(', ')}, none or a variable such as variable:plan` },
);

const placedShape = z.strictObject({
  panel: z
    .string()
    .max(100)
    .regex(/^(?:query\/[a-z0-9-]+|[a-z][a-z0-9_-]*\/[a-z][a-z0-9_-]*)$/, {
      error: 'must be a page and one of its panels such as overview/volume, or query/ and the id of a saved query',
    }),
  size: z.enum(sizes),
  split: split.exactOptional(),
  title: title.exactOptional(),
});

export const panelsShape = z
  .array(placedShape)
  .max(most_panels, { error: `must be at most ${most_panels}: that is how many a board holds` });
