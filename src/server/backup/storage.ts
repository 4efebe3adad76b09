// Where the parts of backups lie: in a folder that backups share, or in one tar file that holds one.

/** Names of parts are relative paths: those of the folder, and of what `tar -x` makes of the file. */
export interface Storage {
  /** The folder or the file. */
  readonly place: string;
  /** Where a part lies, or would, in words for a sentence. */
  whereIs(name: string): string;
  has(name: string): boolean;
  /** Undefined: there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Replaces a damaged one of that name. When it returns after `finish`, it is on the disk. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** All names below a folder. */
  names(below: string): Promise<string[]>;
  /** Returns the bytes that became free. Null: nothing is removed from it. */
  readonly remove: ((name: string) => Promise<number>) | null;
  /** Bytes of everything in it. */
  size(): Promise<number>;
  /** A backup is whole: from now on it is found under its name. */
  finish(): void;
  /** Lets others in. What is not finished and cannot be used is removed. */
  close(): void;
}

export const [about, pieces, manifests] = ['chatledger-backup.json', 'pieces', 'backups'];

/** Does what writes there. The error of a full disk gets the place, which it does not name by itself. */
export async function writingTo<T>(place: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) (error as NodeJS.ErrnoException).path ??= place;
    throw error;
  }
}
