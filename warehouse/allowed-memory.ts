// How much memory all processes of the program may take together.
import { totalmem } from 'node:os';

/** Bytes that the machine has, or that a container allows. */
export const allowedMemory = (): number => Math.min(process.constrainedMemory() || Infinity, totalmem());
