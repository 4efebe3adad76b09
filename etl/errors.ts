// The errors of pulling. Whether to try again is decided where the error is made, by its class.

/** Trying again may help: no answer, too busy, a server's fault. `after_seconds` is what the source asked to wait. */
export class Retryable extends Error {
  readonly status: number;
  readonly after_seconds: number;
  constructor(message: string, status = 0, after_seconds = 0) {
    super(message);
    this.name = 'Retryable';
    this.status = status;
    this.after_seconds = after_seconds;
  }
}

/** Trying again gives the same answer. */
export class Final extends Error {
  readonly status: number;
  constructor(message: string, status = 0) {
    super(message);
    this.name = 'Final';
    this.status = status;
  }
}

/** The source refuses the credentials: nothing more can be pulled from this account. */
export class Unauthorized extends Final {
  constructor(message: string) {
    super(message, 401);
    this.name = 'Unauthorized';
  }
}

/** Nothing answered at the address: the pull ends with exit code 3. */
export class Unreachable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreachable';
  }
}
