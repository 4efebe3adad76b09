// Errors of the warehouse. A refusal means that the caller must change the question; the others concern the file.
import type { Lease } from './leases.ts';

/** A question that has no answer here. `choices` names what may be asked instead. */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The part at fault in one word: the parameter, or `metric`. */
  readonly about: string;
  readonly choices: readonly string[];

  constructor(about: string, message: string, choices: readonly string[] = []) {
    super(message);
    this.about = about;
    this.choices = choices;
  }
}

/** The answer would have more cells than one may have: it can be asked for in parts. */
export class TooManyCells extends Refused {}

/** The file was written by a newer version of the program. */
export class NewerWarehouse extends Error {
  override readonly name = 'NewerWarehouse';
  constructor(file: string, found: number, known: number) {
    super(
      `${file} has warehouse version ${found}, this program knows versions up to ${known}: ` +
        'update the program, or move the file away and rebuild',
    );
  }
}

/** The file cannot be opened: missing, not a warehouse, or broken. */
export class DamagedWarehouse extends Error {
  override readonly name = 'DamagedWarehouse';
  readonly file: string;
  readonly reason: string;
  constructor(file: string, reason: string) {
    super(`${file} cannot be opened: ${reason}`);
    this.file = file;
    this.reason = reason;
  }
}

/** This process closed the file while a question was waiting: a newer snapshot has replaced it, or the program is ending. */
export class ClosedWarehouse extends Error {
  override readonly name = 'ClosedWarehouse';
  constructor(file: string) {
    super(`${file} is closed`);
  }
}

/** Another process holds the file open for writing. */
export class BusyWarehouse extends Error {
  override readonly name = 'BusyWarehouse';
  constructor(file: string, reason: string) {
    super(`${file} is in use by another process: ${reason}`);
  }
}

/** The file is whole, and yet cannot be used: the disk is full, or the folder may not be written. Nothing was changed. */
export class BlockedWarehouse extends Error {
  override readonly name = 'BlockedWarehouse';
  readonly file: string;
  constructor(file: string, reason: string) {
    super(`${file} cannot be written: ${reason}`);
    this.file = file;
  }
}

/** The server that holds the snapshots does not answer, or lets nobody in. Nothing was changed. */
export class UnreachableWarehouse extends Error {
  override readonly name = 'UnreachableWarehouse';
  readonly database: string;
  readonly reason: string;
  /** It may answer a moment later. */
  readonly isPassing: boolean;
  constructor(database: string, reason: string, isPassing: boolean) {
    super(`${database} ${isPassing ? 'does not answer' : 'cannot be used'}: ${reason}`);
    this.database = database;
    this.reason = reason;
    this.isPassing = isPassing;
  }
}

/** Another data folder publishes accounts to the database, until their leases end. */
export class LeasedAccount extends Error {
  override readonly name = 'LeasedAccount';
  readonly leases: readonly Lease[];
  constructor(database: string, leases: readonly Lease[]) {
    const each = leases.map(
      ({ account, holder, until }) =>
        `the account ${account} is published there by the data folder ${holder.id} on ${holder.host} until ${until} at least, by the server's clock`,
    );
    super(`${database}: ${each.join('; ')}`);
    this.leases = leases;
  }
}

/** A raw archive in a layout from before the first release: it is set aside and a new one is started. */
export class OlderArchive extends Error {
  override readonly name = 'OlderArchive';
  readonly file: string;
  constructor(file: string) {
    super(`${file} has the layout of a program that was never released`);
    this.file = file;
  }
}
