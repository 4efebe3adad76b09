// Errors of pulling. The class of an error, chosen where it is thrown, decides whether to retry.

/** A retry may help: no answer, too busy, a server error. `after_seconds` is the delay requested by the source. */
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

/** Nobody listens at the address just now; a source that starts again does so in seconds. */
export class Silent extends Retryable {
  constructor(message: string) {
    super(message);
    this.name = 'Silent';
  }
}

/** Status 200, and yet nothing that can be read: cut off, empty, no JSON, an HTML page. Tried again, then set aside. */
export class Garbled extends Retryable {
  constructor(message: string) {
    super(message, 200);
    this.name = 'Garbled';
  }
}

/** An answer that must not be read on: over 16 MB, or unpacking to more than a hundred times its size. */
export class Oversized extends Garbled {
  constructor(message: string) {
    super(message);
    this.name = 'Oversized';
  }
}

/** Another data centre has this account: to be asked again there. `region` is the one that the source named, if any. */
export class Misdirected extends Retryable {
  readonly region: string | undefined;
  constructor(message: string, status: number, region: string | undefined) {
    super(message, status);
    this.name = 'Misdirected';
    this.region = region;
  }
}

/** A retry would give the same answer. */
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

/** The source is another account than the one whose chats are held: what it has would take the place of those. */
export class AnotherAccount extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnotherAccount';
  }
}

/** Nothing can be asked at the address: the pull ends with exit code 3. */
export class Unreachable extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Unreachable';
  }
}

/** The person running the pull ended it. */
export class Interrupted extends Error {
  constructor() {
    super('ended by whoever runs it: what came until then is kept, and the next pull goes on from there');
    this.name = 'Interrupted';
  }
}

/** The source asks to be left alone for longer than a pull waits. */
export class Postponed extends Unreachable {
  constructor(message: string) {
    super(message);
    this.name = 'Postponed';
  }
}
