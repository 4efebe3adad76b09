// Which one cell of an answer a receipt is about: the question, its period, and a value for each split. Refusals name the choices.
import type { Ask, AskInput } from '../query/ask.ts';
import type { LocalPart } from '../dialect.ts';
import type { Value } from '../engine.ts';
import { Refused } from '../errors.ts';
import type { MetricDefinition, Split } from '../definitions/metric.ts';
import { slots, weekdays, type Slot } from '../periods.ts';
import { assertFits } from '../query/size.ts';
import type { ReceiptAsking } from './asking.ts';

/** One cell of an answer, before it is known whether it exists. */
export interface WantedCell {
  question: AskInput;
  /** Label; nothing for the whole range. */
  period?: string | undefined;
  /** Value of each split as answers write it; empty for chats without one. */
  at: Readonly<Record<string, string>>;
  /** By default the first of the metric. */
  measure?: string | undefined;
}

export interface AskedCell {
  ask: Ask;
  /** Label; null for the whole range. */
  period: string | null;
  /** Value of each split, as answers write it; null for chats without one. */
  at: Partial<Record<Split, Value>>;
  measure: string;
  slot: Slot;
}

function valueAt(metric: MetricDefinition, split: Split, text: string): Value {
  const name = `at.${split}`;
  if (split === 'weekday') return oneOf(name, text, weekdays);
  if (split === 'hour_of_day') return oneOf(name, text, hours);
  if (text === '') {
    if (split === 'country' || split === 'variable' || (split === 'tag' && metric.archived?.untagged)) return null;
    throw new Refused(
      name,
      `${name} is empty: ${metric.id} has no row without ${split === 'agent' ? 'an' : 'a'} ${split}`,
    );
  }
  if (split !== 'group' && split !== 'goal') return text;
  if (!/^\d{1,9}$/.test(text)) throw new Refused(name, `${name}=${text} is not a number`);
  return Number(text);
}

const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

function oneOf(name: string, text: string, choices: readonly string[]): string {
  if (!choices.includes(text)) throw new Refused(name, `${name}=${text} is not one of ${choices.join(', ')}`, choices);
  return text;
}

function valuesOf(metric: MetricDefinition, ask: Ask, given: WantedCell['at']): Partial<Record<Split, Value>> {
  for (const split of Object.keys(given)) {
    if (ask.split.some((asked) => asked === split)) continue;
    const choices = ask.split.map((asked) => `at.${asked}`);
    const there = choices.length > 0 ? `only ${choices.join(', ')}` : 'the question has no split';
    throw new Refused(`at.${split}`, `at.${split} names no split of the question, ${there}`, choices);
  }
  const at: Partial<Record<Split, Value>> = {};
  for (const split of ask.split) {
    const text = given[split];
    if (text === undefined) {
      const choices = split === 'weekday' ? weekdays : split === 'hour_of_day' ? hours : [];
      throw new Refused(
        `at.${split}`,
        `${metric.id} split by ${split} has many cells: say which with at.${split}=…`,
        choices.map((choice) => `at.${split}=${choice}`),
      );
    }
    at[split] = valueAt(metric, split, text);
  }
  return at;
}

const mostChoices = 40;

/** The part of the calendar that the cell is. */
function slotOf(ask: Ask, period: string | null, at: Partial<Record<Split, Value>>): Slot {
  const parts = ask.split.filter((split): split is LocalPart => split === 'weekday' || split === 'hour_of_day');
  const all = () => slots(ask.timezone, ask.from, ask.to, ask.grain, parts);
  const inPeriod = [...all().filter((slot) => (slot.period ?? null) === period)];
  if (inPeriod.length === 0) {
    const labels = [...new Set(all().map((slot) => slot.period ?? ''))];
    const shape = { hour: 'YYYY-MM-DD HH:00', day: 'YYYY-MM-DD', week: 'YYYY-Www', month: 'YYYY-MM', total: '' }[
      ask.grain
    ];
    throw new Refused(
      'period',
      `period=${period} is not one of the ${labels.length} periods from ${ask.from} to ${ask.to} by ${ask.grain}, written ${shape}`,
      labels.length <= mostChoices ? labels : [...labels.slice(0, 2), ...labels.slice(-2)],
    );
  }
  const found = inPeriod.find((slot) => parts.every((part) => slot[part] === at[part]));
  if (found) return found;
  const cells = inPeriod.map((slot) => parts.map((part) => `at.${part}=${slot[part]}`).join('&'));
  const asked = parts.map((part) => `at.${part}=${String(at[part])}`).join('&');
  throw new Refused(`at.${parts[0]}`, `${period ?? 'the range'} has no ${asked}`, cells.slice(0, mostChoices));
}

/** Errors: Refused. */
export function askedCellOf(
  metric: MetricDefinition,
  wanted: WantedCell,
  { ask: askOf }: Pick<ReceiptAsking, 'ask'>,
): AskedCell {
  const ask = askOf(metric, wanted.question);
  const given = wanted.period ?? '';
  if (given === '' && ask.grain !== 'total')
    throw new Refused('period', `say which ${ask.grain} with period=…, or ask with grain=total`, ['grain=total']);
  if (given !== '' && ask.grain === 'total')
    throw new Refused('period', 'with grain=total the whole range is one period: leave period out, or say the grain');
  const period = given === '' ? null : given;
  assertFits(metric, ask, 1);
  const at = valuesOf(metric, ask, wanted.at);
  const measures = Object.keys(metric.measures);
  const measure = wanted.measure ?? measures[0] ?? '';
  if (!measures.includes(measure))
    throw new Refused('measure', `${metric.id} has no measure ${measure}, only ${measures.join(', ')}`, measures);
  return { ask, period, at, measure, slot: slotOf(ask, period, at) };
}
