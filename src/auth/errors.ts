// Errors about users, sessions and tokens, as sentences for the user.

/** `what`: in which field of a form. */
export class BadUser extends Error {
  override readonly name = 'BadUser';
  readonly what: string;
  constructor(what: string, message: string) {
    super(message);
    this.what = what;
  }
}

/** Wrong address, password or code; the message does not say whether address or password. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** The password is right, and the second factor is on. */
export class CodeNeeded extends Error {
  override readonly name = 'CodeNeeded';
  constructor() {
    super('the code of the second factor is needed');
  }
}

/** Too many wrong passwords, or password mails. */
export class TooOften extends Error {
  override readonly name = 'TooOften';
  /** Seconds. */
  readonly retry_after: number;
  constructor(retry_after: number) {
    super(`too many tries: try again in ${Math.ceil(retry_after / 60)} minutes`);
    this.retry_after = retry_after;
  }
}

export const signOnProblems = ['declined', 'expired', 'unavailable', 'invalid', 'unknown', 'taken', 'nothing'] as const;
export type SignOnProblem = (typeof signOnProblems)[number];

/** Signing in with the identity provider failed. `problem` is shown to the user, the message goes to the audit. */
export class NotSignedOn extends Error {
  override readonly name = 'NotSignedOn';
  readonly problem: SignOnProblem;
  constructor(problem: SignOnProblem, message: string, cause?: unknown) {
    super(message, { cause });
    this.problem = problem;
  }
}
