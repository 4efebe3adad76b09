// How the service says no: a status and a body as the contract gives them.
import { badArguments, foreignOrigin, notFound, unauthorized, type ErrorBody } from '#contract/errors.ts';

/** Thrown anywhere below a route; the door turns it into the answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody | MisdirectedBody;

  constructor(status: number, body: ErrorBody | MisdirectedBody) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

/** The data center that the token belongs to, for the next try. */
export interface MisdirectedBody {
  error: { type: 'misdirected_request'; message: 'Wrong region'; data: { region: string } };
}

export const refuse = {
  arguments: (...complaints: string[]) => new Refusal(400, badArguments(complaints)),
  unauthorized: () => new Refusal(401, unauthorized),
  scope: (scopes: readonly string[]) => new Refusal(403, { error: `The token lacks the scope ${scopes.join(' or ')}` }),
  origin: () => new Refusal(403, foreignOrigin),
  missing: () => new Refusal(404, notFound),
  verb: (verb: string) => new Refusal(405, { error: `${verb} is not supported here` }),
  region: (region: string) =>
    new Refusal(421, { error: { type: 'misdirected_request', message: 'Wrong region', data: { region } } }),
} as const;
