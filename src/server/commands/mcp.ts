// `chatledger mcp`: the tools of assistants over standard input and output, for assistants that start such servers themselves. Every
// question goes to a running product, which decides what its asker may see.
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { assistantServer } from '#api/assistant-tools/server.ts';
import { answerTo, type AskApi } from '#api/assistant-tools/asking.ts';
import { getMe, type Me } from '#api/contract/sign-in.ts';
import { readConfig } from '../config.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { programVersion } from '../program-version.ts';
import { say } from '../terminal.ts';

/** Milliseconds; a statement of SQL has four minutes at most, and may wait for others. */
const longest_answer = 290_000;

/** Ends when the assistant closes the connection. */
export async function mcp({ url }: { url?: string }): Promise<void> {
  const { port, mcp_token: token } = readConfig();
  const origin = originOf(url ?? `http://127.0.0.1:${port}`);
  const ask: AskApi = (path, body) =>
    fetch(`${origin}/api${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(longest_answer),
    }).catch((error: Error) => unanswered(origin, error));
  const rights = new Set(await rightsOf(origin, ask, token !== null));
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => process.stdin.once('close', resolve).once('end', resolve));
  serveStdio(() => assistantServer({ ask, origin, version: programVersion, rights }), {
    ...{ transport, onerror: ({ message }: Error) => say(message) },
  });
  await closed;
}

/** In place of an answer: the product may have been stopped since. */
function unanswered(origin: string, { name }: Error): Response {
  const message =
    name === 'TimeoutError'
      ? `${origin} did not answer within ${longest_answer / 1000} s: ask for less`
      : `nothing answers at ${origin}: start the product there, or say with --url where it is`;
  return Response.json({ error: { type: 'unavailable', message } }, { status: 503 });
}

/** @throws Stopped when it is no address of a product. */
function originOf(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !/^https?:$/.test(parsed.protocol))
    throw new Stopped(`--url ${url} must be the address of a running product, as http://127.0.0.1:3000`);
  return parsed.origin;
}

/** @throws Stopped when nobody answers, or whoever asks may ask nothing. */
async function rightsOf(origin: string, ask: AskApi, hasToken: boolean): Promise<Me['rights']> {
  const answer = await answerTo(ask, '/me').catch(({ message }: Error) => {
    throw new Stopped(message, exitCodes.unreachable);
  });
  const me = getMe.schema.safeParse(answer);
  if (!me.success) throw new Stopped(`${origin} does not answer as a Chatledger does`, exitCodes.unreachable);
  const { rights, owes } = me.data;
  if (rights.length > 0) return rights;
  const remedy = 'make one with `chatledger token add` and set CHATLEDGER_MCP_TOKEN';
  const reason = owes
    ? `${origin} asks its user to sign in and choose a password or second factor first`
    : hasToken
      ? `${origin} refuses the token of CHATLEDGER_MCP_TOKEN: it is wrong, revoked or expired; ${remedy}`
      : `${origin} answers nobody without a token: ${remedy}`;
  throw new Stopped(reason, exitCodes.unreachable);
}
