// What a reader of some rows is to be answered: as a file of only these, but where a reader is told more, or nothing, by the rule itself.
import { dashboards } from '#dashboards/dashboards.ts';
import type { Panel } from '#dashboards/panel.ts';
import type { MetricDefinition } from '#warehouse/definitions/metric.ts';
import { metrics } from '#warehouse/definitions/metrics.ts';
import type { Row } from '#warehouse/engine.ts';
import type { RowRule } from '#warehouse/query/reader.ts';
import { ask, type Api, type Asked } from './restricted.ts';

/** What nobody without names may search is refused whatever would be found. */
export const isSearchOfMasked = (path: string, { is_anonymous }: RowRule, { status, body }: Asked): boolean =>
  is_anonymous === true && status === 400 && body.includes('(names:read)') && /[?&](query=|survey=comment)/.test(path);

/** What is made of the reports of every agent is refused where a reader sees only some of what it would be made of. */
export const isOfEachAgent = ({ groups, agent }: RowRule, { status, body }: Asked): boolean =>
  status === 400 &&
  ((groups !== undefined && body.includes('needs all chats of an agent')) ||
    (agent !== undefined && body.includes('of yourself only')));

/** The metric that an address asks about: by its name or by a panel. */
function metricAsked(place: string): { metric: MetricDefinition | undefined; panel?: Panel | undefined } {
  const [, about, dashboard, id] = /^\/api\/(metrics|receipts|panels)\/([a-z_-]+)(?:\/([a-z-]+))?/.exec(place) ?? [];
  const named = (name: string | undefined) => metrics.find((metric) => metric.id === name);
  if (about !== 'panels') return { metric: named(dashboard) };
  const panel = dashboards.find((page) => page.id === dashboard)?.panels.find((it) => it.id === id);
  return { metric: named(panel?.metric), panel };
}

/** By what the source reports of all that a reader may see: the only group, or the agent whose chats these are. */
function onlyOne({ groups, agent }: RowRule): { name: 'group' | 'agent'; value: string } | undefined {
  if (agent !== undefined) return { name: 'agent', value: agent };
  return groups?.length === 1 ? { name: 'group', value: String(groups[0]) } : undefined;
}

const naming = (path: string, { name, value }: { name: string; value: string }): string =>
  `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;

/** Who may see one group, or the own chats, gets what the source reports of it without asking; whoever has nothing else must ask. */
function asOnlyOne(path: string, rule: RowRule): string {
  const [place = '', search = ''] = path.split('?');
  const { metric, panel } = metricAsked(place);
  const query = new URLSearchParams(search);
  const splits = [...(query.get('split') ?? '').split(','), ...(panel?.split ?? [])];
  const isNarrowed = ['group', 'agent'].some((name) => query.has(name) || splits.includes(name));
  const only = onlyOne(rule);
  return !only || isNarrowed || !metric?.reported?.splits.includes(only.name) ? path : naming(path, only);
}

const severalGroups = 'several at once cannot be added up';
const noOneAgent = 'not for the chats of one agent';

/** Whether an answer about a metric has no number of it. */
function isEmpty(path: string, { status, body }: Asked): boolean {
  const [place = ''] = path.split('?');
  const names = Object.keys(metricAsked(place).metric?.measures ?? {});
  if (status !== 200) return true;
  if (names.length === 0) return false;
  // Of an hour that has not come yet nobody has another number than none.
  const nothing = (row: Row): unknown[] => (row.state === 'open' ? [null, 0] : [null]);
  const isEmptyRow = (row: Row): boolean => names.every((name) => nothing(row).includes(row[name] ?? null));
  if (!place.endsWith('.csv')) {
    const { rows, measures } = JSON.parse(body) as { rows?: Row[]; measures?: Row };
    return (rows ?? [measures ?? {}]).every(isEmptyRow);
  }
  const [heads = [], ...rows] = body.split('\r\n').map((line) => line.split(','));
  // Columns of a panel are named by their titles.
  const isNothing = (row: string[]): boolean => row[heads.indexOf('state')] === 'not_pulled';
  if (place.startsWith('/api/panels/')) return rows.filter((row) => row.length > 1).every(isNothing);
  return rows.every((row) => heads.every((head, at) => !names.includes(head) || (row[at] ?? '') === ''));
}

/**
 * Whether what the source reports of each group alone is kept from a reader of several, as nobody can add it up, or what it does not report
 * of one agent from a reader of the own chats: a file of their chats has no number of it either, and gives another reason.
 */
export function isNotReported(path: string, { groups = [], agent }: RowRule, ours: Asked, expected: Asked): boolean {
  const reason = agent === undefined ? severalGroups : noOneAgent;
  if ((agent === undefined && groups.length < 2) || !ours.body.includes(reason)) return false;
  if (ours.status !== 200) return isEmpty(path, expected);
  const unexplained = ({ body }: Asked): string =>
    body.replace(/"not_given":\{[^}]*\}/, '').replace(/"how":"no number here: (?:[^"\\]|\\.)*"/, '');
  return ours.status === expected.status && unexplained(ours) === unexplained(expected);
}

/** Who may see one group, or the own chats, is told what the source reports of it without asking for it; in panels too. */
export async function expectedOf(own: Api, path: string, rule: RowRule): Promise<Asked> {
  const expected = await ask(own, asOnlyOne(path, rule));
  const isOfAccount = expected.status === 400 && / not pulled by .* for the account/.test(expected.body);
  const only = onlyOne(rule);
  return only && isOfAccount ? ask(own, naming(path, only)) : expected;
}
