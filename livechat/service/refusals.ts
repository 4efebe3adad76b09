// Refusals of the service: the status and body that the contract defines.
import { badArguments, foreignOrigin, notFound, unauthorized, type ErrorBody } from '#contract/errors.ts';
import { errorsV3, errorV3, type ErrorBodyV3, type ErrorTypeV3 } from '#contract/errors-v3.ts';

/** Thrown anywhere below a route; the routes turn it into the answer. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: ErrorBody | ErrorBodyV3;

  constructor(status: number, body: ErrorBody | ErrorBodyV3) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
}

export const refuse = {
  arguments: (...complaints: string[]) => new Refusal(400, badArguments(complaints)),
  unauthorized: () => new Refusal(401, unauthorized),
  scope: (scopes: readonly string[]) => new Refusal(403, { error: `The token lacks the scope ${scopes.join(' or ')}` }),
  /** `what` the caller wanted to do. */
  rights: (what: string) => new Refusal(403, { error: `Only the owner and administrators may ${what}` }),
  origin: () => new Refusal(403, foreignOrigin),
  missing: () => new Refusal(404, notFound),
  verb: (verb: string) => new Refusal(405, { error: `${verb} is not supported here` }),
  mistake: () => new Refusal(500, { error: 'Internal Server Error' }),
  /** `region` is the data center that the token belongs to, for the next try. */
  region: (region: string) =>
    new Refusal(421, errorV3('misdirected_request', errorsV3.misdirected_request[1], { region })),
  /** A no of the v3 APIs. */
  v3: (type: ErrorTypeV3, message?: string) => new Refusal(errorsV3[type][0], errorV3(type, message)),
} as const;

const typeOf: Record<number, ErrorTypeV3> = {
  401: 'authentication',
  403: 'authorization',
  404: 'not_found',
  500: 'internal',
};

/** Converts a refusal to the v3 format, for code that v2 and v3 share. */
export function inV3({ status, body }: Refusal): Refusal {
  const words = 'error' in body ? body.error : body.errors.join('; ');
  if (typeof words !== 'string') return new Refusal(status, body);
  const type = typeOf[status] ?? 'validation';
  return refuse.v3(type, type === 'authentication' ? 'Invalid access token' : words);
}
