// Takes all rows of a statement as a file.
import type { SqlFileFormat } from '#api/contract/sql.ts';
import { call } from '#lib/api.ts';
import type { RunStatement } from './run.svelte.ts';

/** Hands the file to the browser; the sentence for people if there is none, or nothing if `signal` has ended it. */
export async function downloadRows(asked: RunStatement, format: SqlFileFormat, signal: AbortSignal): Promise<string> {
  let file: File | undefined;
  const taken: typeof fetch = async (input, init) => {
    const answer = await fetch(input, { ...init, signal });
    if (!answer.ok) return answer;
    const [, name = `result.${format}`] =
      /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
    file = new File([await answer.blob()], name);
    return new Response('{}');
  };
  const outcome = await call(taken, 'POST /sql/file', { body: { ...asked, format } });
  if (!file || outcome.kind !== 'answered') return outcome.kind === 'answered' || signal.aborted ? '' : outcome.message;
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
  return '';
}
