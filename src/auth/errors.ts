// What cannot be done with users, sessions and tokens, in sentences for whoever asked.

/** `what`: in which field of a form. */
export class BadUser extends Error {
  override readonly name = 'BadUser';
  readonly what: string;
  constructor(what: string, message: string) {
    super(message);
    this.what = what;
  }
}

/** Address or password is wrong; which of them is not told. */
export class NotSignedIn extends Error {
  override readonly name = 'NotSignedIn';
}

/** Too many wrong passwords. */
export class TooOften extends Error {
  override readonly name = 'TooOften';
  /** Seconds. */
  readonly retry_after: number;
  constructor(retry_after: number) {
    super(`too many wrong passwords: try again in ${Math.ceil(retry_after / 60)} minutes`);
    this.retry_after = retry_after;
  }
}
