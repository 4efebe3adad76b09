// Error bodies of the REST API v2.0, as its published clients read them.

/** 401 and 403 say one sentence under `error`; bad arguments are a list under `errors`. */
export type ErrorBody = { error: string } | { errors: string[] };

export const unauthorized: ErrorBody = {
  error: 'You have no rights to access this data. Check your API Key and/or username',
};
export const notFound: ErrorBody = { error: 'Not Found' };
export const foreignOrigin: ErrorBody = { error: 'Requests from browsers of third-party domains are denied' };
export const badArguments = (errors: string[]): ErrorBody => ({ errors });

/** The words of an error body of any known form, or nothing. */
export function errorWords(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { error, errors, message } = body as Record<string, unknown>;
  if (typeof error === 'string') return error;
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  const listed = errors ?? error;
  if (Array.isArray(listed)) return listed.map(String).join('; ');
  if (typeof listed === 'string') return listed;
  return typeof message === 'string' ? message : undefined;
}
