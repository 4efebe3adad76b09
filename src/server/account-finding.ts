// Whether an account answers, for the doctor: anything may stand at its address.
import { lists } from '#contract/account.ts';
import type { SourceAccount } from '#etl/source.ts';
import { certificateProblem } from '#network/certificate.ts';
import { boundedAnswer } from './bounded-request.ts';
import type { Config } from './config.ts';
import type { Finding } from './doctor-finding.ts';

/** `config`: says whether it is the embedded service. */
export async function accountFinding(config: Pick<Config, 'accounts'>, source: SourceAccount): Promise<Finding> {
  const isRemote = config.accounts.some(({ id, remote }) => id === source.id && remote !== null);
  const what = isRemote ? `account ${source.id}` : 'embedded service';
  try {
    const headers = { authorization: source.authorization, 'x-api-version': '2', 'x-region': source.region };
    const address = `${source.base_url}${lists.groups.path}`;
    const { status, text, error } = await boundedAnswer(address, { headers, head_ms: 15_000, whole_ms: 30_000 });
    if (status === 200 && error === null && Array.isArray(jsonIn(text)))
      return { what, is_well: true, words: `${source.base_url} answers` };
    if (status === 200)
      return { what, is_well: false, words: `${source.base_url} answers, but not with groups: check its base address` };
    const remedy = status === 401 ? ': check the credentials' : '';
    return { what, is_well: false, words: `${source.base_url} answers with ${status}${remedy}` };
  } catch (error) {
    const certificate = certificateProblem(error);
    if (certificate)
      return { what, is_well: false, words: `no secure connection to ${source.base_url}: ${certificate}` };
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
