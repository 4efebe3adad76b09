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

/** Who may see one group gets what the source reports of it without asking; whoever has nothing else must ask. */
function asOneGroup(path: string, rule: RowRule): string {
  const [place = '', search = ''] = path.split('?');
  const { metric, panel } = metricAsked(place);
  const query = new URLSearchParams(search);
  const splits = [...(query.get('split') ?? '').split(','), ...(panel?.split ?? [])];
  const isNarrowed = ['group', 'agent'].some((name) => query.has(name) || splits.includes(name));
  if (rule.groups?.length !== 1 || isNarrowed || !metric?.reported?.splits.includes('group')) return path;
  query.append('group', String(rule.groups[0]));
  return `${place}?${query}`;
}

const severalGroups = 'several at once cannot be added up';

/** Whether an answer about a metric has no number of it. */
function isEmpty(path: string, { status, body }: Asked): boolean {
  const [place = ''] = path.split('?');
  const names = Object.keys(metricAsked(place).metric?.measures ?? {});
  if (status !== 200) return true;
  if (names.length === 0) return false;
  if (!place.endsWith('.csv'))
    return (JSON.parse(body) as { rows: Row[] }).rows.every((row) =>
      names.every((name) => (row[name] ?? null) === null),
    );
  const [heads = [], ...rows] = body.split('\r\n').map((line) => line.split(','));
  return rows.every((row) => heads.every((head, at) => !names.includes(head) || (row[at] ?? '') === ''));
}

/**
 * Whether what the source reports of each group alone is kept from a reader of several, as nobody can add it up: a file of their chats
 * has no number of it either, and gives another reason.
 */
export function isOfGroupsAlone(path: string, { groups = [] }: RowRule, ours: Asked, expected: Asked): boolean {
  if (groups.length < 2 || !ours.body.includes(severalGroups)) return false;
  if (ours.status !== 200) return isEmpty(path, expected);
  const unexplained = ({ body }: Asked): string =>
    body.replace(/"not_given":\{[^}]*\}/, '').replace(/"how":"no number here: (?:[^"\\]|\\.)*"/, '');
  return ours.status === expected.status && unexplained(ours) === unexplained(expected);
}

/** Who may see one group is told what the source reports of it without asking for it; in panels too. */
export async function expectedOf(own: Api, path: string, rule: RowRule): Promise<Asked> {
  const expected = await ask(own, asOneGroup(path, rule));
  const isOfAccount = expected.status === 400 && / not pulled by .* for the account/.test(expected.body);
  if (rule.groups?.length !== 1 || !isOfAccount) return expected;
  return ask(own, `${path}${path.includes('?') ? '&' : '?'}group=${rule.groups[0]}`);
}
