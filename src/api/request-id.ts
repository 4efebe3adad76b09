// The id of a request: in its answer, in the body of an error and in every line of the log that the request causes.
import { AsyncLocalStorage } from 'node:async_hooks';

const ids = new AsyncLocalStorage<string | undefined>();

/** The header in which a proxy may send it, and in which every answer says it. */
export const request_id_header = 'x-request-id';

/** The id of the request under way; undefined outside of requests. */
export const requestId = (): string | undefined => ids.getStore();

/** Runs `work` as part of that request, or as part of none. */
export const asRequest = <T>(id: string | undefined, work: () => T): T => ids.run(id, work);

/** What comes from elsewhere stands in logs, so it is taken only as a short word. */
const wellFormed = /^[\w.-]{8,64}$/;

/** The id that a sender gives, if it is well formed; else the one that `make` makes. */
export const chosenId = (sent: string | readonly string[] | undefined, make: () => string): string =>
  typeof sent === 'string' && wellFormed.test(sent) ? sent : make();
