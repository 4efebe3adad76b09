// Errors of the reports: mistakes of the caller, and data that is not available yet.

/** Arguments that have no answer. One sentence each, beginning with the argument's name. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
  readonly complaints: readonly string[];
  constructor(complaints: readonly string[]) {
    super(complaints.join('; '));
    this.complaints = complaints;
  }
}

/** A past period that no pull has provided: reporting zero would be wrong. */
export class NotPulled extends Error {
  override readonly name = 'NotPulled';
}
