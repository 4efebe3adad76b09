// Loads everything that "Why?" shows: the number, its comparison, its decomposition, and its chats.
import type { Receipt } from '#api/contract/receipts.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Metric } from '#api/contract/metrics.ts';
import type { Me } from '#api/contract/sign-in.ts';
import { today } from '#dashboards/ranges.ts';
import { measuredOf, type Measured } from '#dashboards/why/measured.ts';
import type { Pointed } from '#dashboards/why/asked-about.ts';
import { addressOf } from '#lib/api.ts';
import { seesAgents } from '#lib/sees-agents.ts';
import { ask } from '#lib/metric-question.ts';
import { namesOf } from '#lib/panel/names.ts';
import { readReceipt, readWorst, type WorstChat } from './chats.ts';
import { filtersOf, readNumbers, type WhyQuestion, type Numbers } from './numbers.ts';

export interface WhyContext {
  account: Account;
  metrics: Metric[];
  me: Me;
  locale: string;
}

export interface Why {
  pointed: Pointed;
  measured: Measured;
  receipt: Receipt;
  numbers: Numbers;
  chats: WorstChat[];
}

export interface WhyRefusal {
  refused: string;
  choices: string[];
}

export async function readWhy(
  fetch: typeof globalThis.fetch,
  pointed: Pointed,
  { account, metrics, me, locale }: WhyContext,
): Promise<Why | WhyRefusal> {
  const { cell, asking } = pointed;
  const metric = metrics.find(({ id }) => id === cell.metric);
  if (!metric) return { refused: `there is no metric ${cell.metric}`, choices: [] };
  const measure = cell.measure || Object.keys(metric.measures)[0] || '';
  const own: Pointed = { ...pointed, cell: { ...cell, measure } };
  const measured = measuredOf(metric, measure, cell.at['currency']);
  const asked = ({ from, to, grain, split, compare }: WhyQuestion) => {
    const query = new URLSearchParams({ account: account.id, from, to, timezone: asking.timezone, grain });
    if (split.length) query.set('split', split.join(','));
    for (const [name, value] of filtersOf(own, metric)) query.append(name, value);
    if (compare) query.set('compare', compare);
    if (asking.target !== undefined && metric.target !== undefined) query.set('target', String(asking.target));
    return ask(fetch, addressOf('GET /metrics/{id}', { params: { id: metric.id }, query }));
  };
  const setting = { locale, names: namesOf(account) };
  const day = today(new Date(), asking.timezone);
  const [found, numbers] = await Promise.all([
    readReceipt(fetch, own, account.id, measured.worst),
    readNumbers(asked, own, metric, seesAgents(me), day, setting),
  ]);
  if (found.kind !== 'answered')
    return { refused: found.message, choices: found.kind === 'refused' ? found.choices : [] };
  const receipt = found.answer;
  const isSame = numbers.value === null || isNear(numbers.value, receipt.value);
  const { value } = numbers;
  return {
    ...{ pointed: own, measured, receipt },
    // Cumulative numbers, such as a backlog since the first day, have a different value for a single period.
    numbers: isSame ? numbers : { value, compared: undefined, parts: undefined },
    chats: await readWorst(fetch, receipt),
  };
}

const isNear = (one: number, other: number | null): boolean =>
  other !== null && Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one));
