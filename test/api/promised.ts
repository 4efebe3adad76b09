// What the contract promises of an answer, held against one that was given.
import { contract } from '#api/contract/contract.ts';
import { ErrorBody, type Endpoint } from '#api/contract/endpoint.ts';
import { expectSame } from '../same.ts';

const patterns = contract.map((endpoint) => ({
  endpoint,
  pattern: new RegExp(
    `^/api(?:/v2(?=/reports))?${endpoint.path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`,
  ),
}));

/** The endpoint at a path; files stand beside what they are files of, so the longest path counts. */
export function endpointAt(method: string, path: string): Endpoint | undefined {
  const { pathname } = new URL(path, 'http://127.0.0.1');
  return patterns
    .filter(({ endpoint, pattern }) => endpoint.method === method.toLowerCase() && pattern.test(pathname))
    .sort((one, other) => other.endpoint.path.length - one.endpoint.path.length)[0]?.endpoint;
}

/** What was last found to be as promised: who compares two answers asks for the same one twice. */
let last: { endpoint: Endpoint; status: number; body: string } | undefined;

/** Fails where the status is none of the endpoint's, and where its JSON lacks something or has a key that is not promised. */
export function expectPromised(method: string, path: string, status: number, body: string): void {
  const endpoint = endpointAt(method, path);
  if (!endpoint || endpoint.media) return;
  const isAnswer = status in endpoint.answers;
  const schema = isAnswer ? endpoint.schema : (endpoint.refusal ?? ErrorBody);
  if (!schema || body === '') return;
  if (last?.endpoint === endpoint && last.status === status && last.body === body) return;
  const given: unknown = JSON.parse(body);
  // Unknown keys are gone from what is parsed.
  const parsed = schema.safeParse(given);
  expectSame(
    { path, ...(parsed.success ? { data: parsed.data } : { issues: parsed.error.issues.slice(0, 3) }) },
    { path, data: given },
  );
  last = { endpoint, status, body };
}
