// Whether an account answers, for the doctor: anything may stand at its address.
import { request } from 'undici';
import { lists } from '#contract/account.ts';
import { readBody } from '#etl/fetch/body.ts';
import type { SourceAccount } from '#etl/source.ts';
import type { Config } from './config.ts';
import type { Finding } from './doctor-finding.ts';

/** `config`: says whether it is the embedded service. */
export async function accountFinding(config: Pick<Config, 'accounts'>, source: SourceAccount): Promise<Finding> {
  const isRemote = config.accounts.some(({ id, remote }) => id === source.id && remote !== null);
  const what = isRemote ? `account ${source.id}` : 'embedded service';
  try {
    const headers = { authorization: source.authorization, 'x-api-version': '2', 'x-region': source.region };
    const {
      statusCode,
      headers: told,
      body,
    } = await request(`${source.base_url}${lists.groups.path}`, {
      headers,
      ...{ headersTimeout: 15_000, bodyTimeout: 15_000, signal: AbortSignal.timeout(30_000) },
    });
    // Anything may answer there, without end too.
    const encoding = String(told['content-encoding'] ?? '').trim();
    const { text, error } = await readBody(body, encoding.toLowerCase(), lists.groups.path);
    if (statusCode === 200 && error === null && Array.isArray(jsonIn(text)))
      return { what, is_well: true, words: `${source.base_url} answers` };
    if (statusCode === 200)
      return { what, is_well: false, words: `${source.base_url} answers, but not with groups: check its base address` };
    const remedy = statusCode === 401 ? ': check the credentials' : '';
    return { what, is_well: false, words: `${source.base_url} answers with ${statusCode}${remedy}` };
  } catch {
    if (isRemote)
      return { what, is_well: false, words: `nothing answers at ${source.base_url}: check its base address` };
    return { what, is_well: true, words: `does not run at ${source.base_url}; 'npm start' starts it` };
  }
}

/** Undefined for what is no JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
