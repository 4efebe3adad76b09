// A question in the format used by plan, ledger and raw archive: a path with its query, or `POST`, a path and a JSON body.

interface SourceRequest {
  method: 'GET' | 'POST';
  path: string;
  /** JSON; of a POST only. */
  body?: string;
}

export const posted = (path: string, body: object): string => `POST ${path} ${JSON.stringify(body)}`;

export function readQuestion(question: string): SourceRequest {
  const [, path, body] = /^POST (\S+) (.*)$/s.exec(question) ?? [];
  return path !== undefined && body !== undefined ? { method: 'POST', path, body } : { method: 'GET', path: question };
}
