// What one backup holds: each file of the data folder, as the pieces that make it.
import { z } from 'zod';

/** Below the data folder, with `/`; nothing that leads out of it. */
const path = z
  .string()
  .refine(
    (text) => text !== '' && text.split('/').every((part) => !['', '.', '..'].includes(part)) && !/[\\\0]/.test(text),
    'leads out of the data folder',
  );

const storedFile = z.object({
  path,
  bytes: z.int().nonnegative(),
  /** Unix milliseconds with fractions, as the file system tells them. */
  changed_ms: z.number(),
  /** Names of its pieces in order. */
  pieces: z.array(z.string().regex(/^[0-9a-f]{64}$/)),
  /** Another name of an earlier file of the list. */
  same_as: path.optional(),
});
export type StoredFile = z.infer<typeof storedFile>;

export const manifest = z.object({
  /** Sorts by time. */
  id: z.string().regex(/^\d{8}T\d{6}Z(-\d+)?$/),
  made_at: z.iso.datetime(),
  /** Version of the program that made it. */
  program: z.string(),
  /** Layout of the data folder (`state.json`). */
  layout: z.int(),
  /** The newest published snapshot in it; null: nothing was published. */
  snapshot: z.string().nullable(),
  files: z.array(storedFile),
});
export type Manifest = z.infer<typeof manifest>;

export const bytesOf = ({ files }: Manifest): number =>
  files.reduce((sum, { bytes, same_as }) => sum + (same_as === undefined ? bytes : 0), 0);
