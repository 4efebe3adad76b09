// The family of errors of the reports: what the caller can mend, and what is not here yet.

/** Arguments that have no answer. One sentence each, beginning with the argument's name. */
export class BadArguments extends Error {
  override readonly name = 'BadArguments';
  readonly complaints: readonly string[];
  constructor(complaints: readonly string[]) {
    super(complaints.join('; '));
    this.complaints = complaints;
  }
}

/** A period of the past that no pull has brought: zero would be a lie. */
export class NotPulled extends Error {
  override readonly name = 'NotPulled';
}
