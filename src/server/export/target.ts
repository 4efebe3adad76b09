// Where exported files go: a folder, or a bucket.
import { isBucket, openBucket } from './bucket.ts';
import { openTargetFolder } from './target-folder.ts';

export interface ExportTarget {
  /** As the user named it. */
  name: string;
  /** A local folder for files that are being written; `prepare` makes it. */
  staging: string;
  prepare(): Promise<void>;
  /** The text of the manifest; null: there is none. */
  manifest(): Promise<string | null>;
  /** Whether nothing is there yet. */
  isEmpty(): Promise<boolean>;
  /** Bytes of a file; undefined: it is missing. */
  sizeOf(path: string): Promise<number | undefined>;
  /** Moves a finished file out of `staging`; readers find the one before or this one. */
  put(path: string, finished: string): Promise<void>;
  putManifest(text: string): Promise<void>;
  /** A missing file is ignored. */
  remove(path: string): Promise<void>;
  /** Returns what lets it go. @throws Stopped while another process has it. */
  lock(): Promise<() => Promise<void>>;
  /** The error as a sentence about this place; undefined: it has another cause. */
  stoppedBy(error: unknown): Error | undefined;
  close(): Promise<void>;
}

/** `files`: local folder for files on their way to a bucket. @throws Stopped if it is neither a folder nor a bucket. */
export const targetOf = (to: string, files: string): ExportTarget =>
  isBucket(to) ? openBucket(to, files) : openTargetFolder(to);
