// What became of the statement of a tab: its run, its answer, or what is wrong with it.
import type { ParameterValues, SqlResult } from '#api/contract/sql.ts';
import { call } from '#lib/api.ts';
import { valuesFor, type TypedValues } from './parameters.ts';
import { sqlWords as words } from './words.ts';

interface Wrong {
  message: string;
  place: { line: number; column: number } | null;
  /** Where in the text of the tab the statement begins. */
  from: number;
  /** Parameters that it is about. */
  parameters?: readonly string[];
}

/** The statement whose rows are shown, with the values that it was run with. */
export interface RunStatement {
  statement: string;
  parameters: ParameterValues;
}

export class Run {
  result = $state.raw<SqlResult & { asked: RunStatement }>();
  wrong = $state.raw<Wrong>();
  leaving = $state.raw<AbortController>();
  seconds = $state(0);

  stop(): void {
    this.leaving?.abort();
  }

  async start(statement: string, from: number, values: TypedValues): Promise<void> {
    if (this.leaving || statement.trim() === '') return;
    const leaving = new AbortController();
    this.leaving = leaving;
    this.seconds = 0;
    const timer = setInterval(() => (this.seconds += 1), 1000);
    const asked: typeof fetch = (input, init) => fetch(input, { ...init, signal: leaving.signal });
    const body: RunStatement = { statement, parameters: valuesFor(statement, values) };
    const outcome = await call(asked, 'POST /sql', { body });
    clearInterval(timer);
    this.leaving = undefined;
    if (outcome.kind === 'answered') {
      this.result = { ...outcome.answer, asked: body };
      this.wrong = undefined;
    } else if (leaving.signal.aborted) this.wrong = { message: words.stopped, place: null, from };
    else {
      const { place = null, parameters = [] } = outcome.kind === 'refused' ? outcome : {};
      this.wrong = { message: outcome.message, place, from, parameters };
    }
  }
}
