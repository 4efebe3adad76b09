// How final the numbers of several accounts together are: as final as the least final of them.
import type { MetricDefinition } from '../definitions/metric.ts';
import { range, type Slot } from '../periods.ts';
import type { Ask } from './ask.ts';
import type { Coverage } from './coverage.ts';
import { settlingDaysOf } from './settling.ts';
import type { Pool } from './sources.ts';
import { statesBy, worst, type CellState, type PeriodState, type StateOfSlot } from './states.ts';

/** The pulled days of an account, and before its first day to pull time that never changes: nothing is missing there. */
function sinceFirst(coverage: Coverage, { timezone, since }: { timezone: string; since: string }): Coverage {
  const begun = range(timezone, since, since).from;
  const until = Math.min(begun, coverage[0]?.from ?? begun);
  return [{ from: -Infinity, until, pulled: until }, ...coverage];
}

/**
 * `whose`: an account, or empty for all together. Together, cells that some accounts do not have whole say how many; they are open as long as
 * those may still be pulled, and not pulled only where no account has them whole.
 */
export function pooledStates(metric: MetricDefinition, ask: Ask, pool: Pool): (slot: Slot, whose: string) => CellState {
  const { from } = range(ask.timezone, ask.from, ask.to);
  const own = new Map<string, StateOfSlot>();
  const together: [own: StateOfSlot, rest: StateOfSlot][] = [];
  for (const [id, { sources, context }] of pool) {
    const coverage = sources.archive ?? [];
    const days = settlingDaysOf(context, metric.id, ask);
    const stateOf = statesBy(from, coverage, context.now, days);
    own.set(id, stateOf);
    together.push([stateOf, statesBy(from, sinceFirst(coverage, context.account), context.now, days)]);
  }
  const ofAll = (slot: Slot): CellState => {
    let state: PeriodState = 'complete';
    let missing = 0;
    for (const [stateOf, restOf] of together) {
      const its = stateOf(slot);
      if (its === 'not_pulled') missing += 1;
      const rest = its === 'not_pulled' ? restOf(slot) : its;
      state = worst(state, rest === 'not_pulled' ? 'open' : rest);
    }
    return missing === together.length ? { state: 'not_pulled' } : { state, missing };
  };
  return (slot, whose) => (whose === '' ? ofAll(slot) : { state: own.get(whose)?.(slot) ?? 'not_given' });
}
