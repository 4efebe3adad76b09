// Calls the API and returns the outcome: an answer typed by the contract, a refusal, or a failure.
import type { Answers, Bodies } from '#api/contract/contract.ts';
import { words } from './words.ts';

/** A call as named by the contract, such as `GET /chats/{id}`. */
export type Call = keyof Answers;

/** What the body of an error says. */
interface ErrorTold {
  type: string;
  message: string;
  choices: string[];
  /** By which the log has it. */
  request_id?: string;
  /** Where in a statement, from 1. */
  place?: { line: number; column: number };
  /** Of a statement. */
  parameters?: string[];
}

export type ApiResult<Shape> =
  | { kind: 'answered'; answer: Shape }
  | ({ kind: 'refused'; status: number } & ErrorTold)
  | { kind: 'failed'; message: string };

export type Fetch = typeof globalThis.fetch;
type Query = URLSearchParams | Record<string, string>;

export interface Given<Name extends Call> {
  /** Values of the names in braces. */
  params?: Record<string, string>;
  query?: Query;
  body?: Bodies[Name];
  /** Statuses with answers as bodies. */
  accepted?: readonly number[];
  /** Key of a shared link: the request is made by its holder instead of the signed-in user. */
  key?: string;
}

/** The address of a call. */
export function addressOf(
  name: Call,
  { params = {}, query }: { params?: Record<string, string>; query?: Query } = {},
): string {
  const path = name
    .slice(name.indexOf(' ') + 1)
    .replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params[part] ?? ''));
  const search = new URLSearchParams(query).toString();
  return `/api${path}${search && `?${search}`}`;
}

/** Never throws: an API that cannot be reached is a failure with a sentence for people. */
export async function call<Name extends Call>(
  fetch: Fetch,
  name: Name,
  given: Given<Name> = {},
): Promise<ApiResult<Answers[Name]>> {
  return outcomeOf<Answers[Name]>(fetch, name, addressOf(name, given), given);
}

/** The answer; throws a readable sentence if there is none. */
export async function read<Name extends Call>(
  fetch: Fetch,
  name: Name,
  given: Given<Name> = {},
): Promise<Answers[Name]> {
  const outcome = await call(fetch, name, given);
  if (outcome.kind === 'answered') return outcome.answer;
  throw new Error(outcome.message);
}

/** The outcome of a call to an address built earlier. */
export async function outcomeOf<Shape>(
  fetch: Fetch,
  name: Call,
  address: string,
  { body, accepted = [], key }: { body?: unknown; accepted?: readonly number[]; key?: string } = {},
): Promise<ApiResult<Shape>> {
  const sent =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const as = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` }, credentials: 'omit' as const };
  const method = name.slice(0, name.indexOf(' '));
  try {
    const response = await untilFree(() => fetch(address, { method, ...sent, ...as }), method);
    const { status } = response;
    const answer = status === 204 ? null : jsonIn(await response.text());
    const told = errorOf(answer);
    const isAnswer = response.ok || (accepted.includes(status) && !told);
    if (isAnswer && answer !== undefined) return { kind: 'answered', answer: answer as Shape };
    if (status === 401 && key === undefined && isEnded(name))
      location.assign(`/sign-in?${new URLSearchParams({ to: here() })}`);
    if (status >= 400 && status < 500 && told) return { kind: 'refused', status, ...told };
    return { kind: 'failed', message: sentenceOf(status, told) };
  } catch {
    return { kind: 'failed', message: words.panel.unreachable };
  }
}

/** What nobody expected is in the log under the id of its request. */
function sentenceOf(status: number, told: ErrorTold | undefined): string {
  if (!told) return words.panel.badAnswer(status);
  const { type, message, request_id } = told;
  return type === 'internal' && request_id !== undefined ? words.failure.ofRequest(message, request_id) : message;
}

const most_tries = 3;

/** Retries in the browser when the server is busy and says when to come back: a reader would do the same. */
async function untilFree(ask: () => Promise<Response>, method: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await ask();
    const canWait = typeof document !== 'undefined' && method === 'GET' && tries < most_tries;
    const seconds = response.status === 503 && canWait ? Number(response.headers.get('retry-after') ?? NaN) : NaN;
    if (Number.isNaN(seconds)) return response;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

/** Whether a refusal means that the browser's session has ended; a wrong password is reported where it was typed. */
const isEnded = (name: Call): boolean =>
  typeof document !== 'undefined' &&
  ![
    'POST /sign-in',
    'PUT /password-reset',
    'PUT /me/password',
    'POST /me/second-factor',
    'POST /me/second-factor/off',
    'POST /sign-on/link',
  ].includes(name);
const here = (): string => location.pathname + location.search;

/** Undefined if it is not JSON or nothing at all, because something other than the API has answered. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}

function errorOf(body: unknown): ErrorTold | undefined {
  if (typeof body !== 'object' || body === null || !('error' in body)) return undefined;
  const error = body.error;
  if (typeof error !== 'object' || error === null || !('message' in error)) return undefined;
  const choices = 'choices' in error && Array.isArray(error.choices) ? error.choices.map(String) : [];
  const place = 'place' in error ? placeIn(error.place) : undefined;
  const type = 'type' in error ? String(error.type) : '';
  const request_id = 'request_id' in error ? String(error.request_id) : undefined;
  const parameters =
    'parameters' in error && Array.isArray(error.parameters) ? error.parameters.map(String) : undefined;
  const message = String(error.message);
  return {
    ...{ type, message, choices },
    ...(request_id && { request_id }),
    ...(place && { place }),
    ...(parameters && { parameters }),
  };
}

function placeIn(place: unknown): ErrorTold['place'] {
  if (typeof place !== 'object' || place === null || !('line' in place) || !('column' in place)) return undefined;
  return { line: Number(place.line), column: Number(place.column) };
}
