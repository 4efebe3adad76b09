// What questions may take together: as it is set, or what leaves room for everything else.
import { allowedMemory } from '#warehouse/allowed-memory.ts';
import type { QueryLimits } from './snapshots.ts';

/** Bytes, where nothing is set. */
const standard = 1e9;
/** In a small container a pull and documents need the rest. */
const share = 0.25;

const sizeOf = (bytes: number): string => `${Math.ceil(bytes / 1e6)}MB`;

/** `set`: bytes; `allowed`: what all processes may take together. */
export const questionLimits = (set: number | undefined, allowed = allowedMemory()): QueryLimits => ({
  memory: sizeOf(set ?? Math.min(standard, share * allowed)),
  spill: sizeOf(set ?? standard),
});
