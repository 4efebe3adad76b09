// What became of the statement of a tab: its run, its answer, or what is wrong with it.
import type { ParameterValues, SqlResult } from '#api/contract/sql.ts';
import { call } from '#lib/api.ts';
import { valuesFor, type TypedValues } from './parameters.ts';
import { explaining, planIn, type PlanOperator } from './plan.ts';
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
  /** The instant of a kept snapshot; undefined: the newest. */
  as_of?: string;
}

export class Run {
  result = $state.raw<SqlResult & { asked: RunStatement }>();
  /** Shown in the place of the result. */
  plan = $state.raw<PlanOperator>();
  wrong = $state.raw<Wrong>();
  leaving = $state.raw<AbortController>();
  seconds = $state(0);

  stop(): void {
    this.leaving?.abort();
  }

  async start(statement: string, from: number, values: TypedValues, as_of: string): Promise<void> {
    const parameters = valuesFor(statement, values);
    const body: RunStatement = { statement, parameters, ...(as_of === '' ? {} : { as_of }) };
    const answer = await this.#ask(body, from, 0);
    if (answer) [this.result, this.plan] = [{ ...answer, asked: body }, undefined];
  }

  async explain(statement: string, from: number, values: TypedValues): Promise<void> {
    if (statement.trim() === '') return;
    const body = { statement: explaining(statement), parameters: valuesFor(statement, values) };
    const answer = await this.#ask(body, from, 1);
    if (!answer) return;
    this.plan = planIn(answer.rows);
    if (!this.plan) this.wrong = { message: words.noPlan, place: null, from };
  }

  /** `before`: lines that stand before those of the editor. */
  async #ask(body: RunStatement, from: number, before: number): Promise<SqlResult | undefined> {
    if (this.leaving || body.statement.trim() === '') return undefined;
    const leaving = new AbortController();
    this.leaving = leaving;
    this.seconds = 0;
    const timer = setInterval(() => (this.seconds += 1), 1000);
    const asked: typeof fetch = (input, init) => fetch(input, { ...init, signal: leaving.signal });
    const outcome = await call(asked, 'POST /sql', { body });
    clearInterval(timer);
    this.leaving = undefined;
    if (outcome.kind === 'answered') {
      this.wrong = undefined;
      return outcome.answer;
    }
    if (leaving.signal.aborted) this.wrong = { message: words.stopped, place: null, from };
    else {
      const { place = null, parameters = [] } = outcome.kind === 'refused' ? outcome : {};
      const shown = place && { line: Math.max(1, place.line - before), column: place.column };
      this.wrong = { message: outcome.message, place: shown, from, parameters };
    }
    return undefined;
  }
}
