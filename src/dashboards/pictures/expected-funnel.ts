// A funnel plot: the deviation of each agent from the expectation by the amount of evidence, with the limits of chance.
import { expectedWords as words, isNamed, numbersOf, observedCell, verdictOf } from '../expected.ts';
import type { AgentExpected, OutcomeExpected } from '../expected.ts';
import { say, sayShort, signed } from '../numbers.ts';
import { base, scale } from './frame.ts';
import type { Picture, Setting, TableCell, Tip } from './picture.ts';
import { colour } from './telling.ts';

const height = 320;
const steps = 60;

/** Shares unchanged; times as logarithms, so that half and double are equally far apart. */
export function apart({ observed, expected }: AgentExpected, { unit }: OutcomeExpected): number {
  return unit === 'share' ? observed - expected : Math.log((1 + observed) / (1 + expected));
}

/** `rated`: the share of rated chats, shown next to every other outcome. */
export function expectedFunnel(of: OutcomeExpected, rated: OutcomeExpected | undefined, setting: Setting): Picture {
  const { locale, names } = setting;
  const nameOf = (agent: string): string => names?.['agent']?.[agent] ?? agent;
  const { compare } = new Intl.Collator(locale);
  const agents = [...of.agents].sort((one, other) => compare(nameOf(one.agent), nameOf(other.agent)));
  const drawn = agents.filter(({ verdict }) => verdict !== 'few_expected');
  const ratedBeside = (agent: string): string => {
    const found = of.id === 'response_rate' ? undefined : rated?.agents.find((it) => it.agent === agent);
    return found ? signed(found.observed - found.expected, 'share', locale) : '';
  };
  const tips = drawn.map((it): Tip => {
    const points = ratedBeside(it.agent);
    return {
      title: nameOf(it.agent),
      lines: [
        { name: words.names[of.id], value: verdictOf(it, of.unit), cell: observedCell(of, it.agent) },
        { name: '', value: numbersOf(it, of, locale) },
        ...(points ? [{ name: '', value: words.rated(points) }] : []),
      ],
    };
  });
  return {
    charts: drawn.length > 0 ? [{ option: optionOf(of, drawn, nameOf, setting), tips, hits: 'mark', height }] : [],
    key: [
      { token: 'series-1', label: words.key.named, mark: 'fill' },
      { token: 'before', label: words.key.apart, mark: 'fill' },
      { token: 'before', label: words.key.outer, mark: 'dash' },
      ...(isFarther(of.limits) ? [{ token: 'before', label: words.key.verdict, mark: 'line' } as const] : []),
    ],
    table: {
      columns: words.heads.map((title, place) => ({ title, numeric: place > 1 })),
      rows: agents.map((it) => rowOf(it, of, nameOf(it.agent), ratedBeside(it.agent), setting)),
    },
    summary: summaryOf(agents, of, nameOf, locale),
  };
}

function rowOf(it: AgentExpected, of: OutcomeExpected, name: string, rated: string, { locale }: Setting): TableCell[] {
  const number = (value: number): string => say(value, of.unit, locale);
  return [
    { text: name, kind: 'head' },
    { text: verdictOf(it, of.unit), kind: 'text' },
    { text: number(it.observed), kind: 'number', cell: observedCell(of, it.agent) },
    { text: number(it.expected), kind: 'number' },
    { text: it.likely ? `${number(it.likely.low)} – ${number(it.likely.high)}` : '', kind: 'number' },
    { text: rated, kind: 'number' },
  ];
}

function summaryOf(
  agents: readonly AgentExpected[],
  { unit, dispersion }: OutcomeExpected,
  nameOf: (agent: string) => string,
  locale: string,
): string {
  const listed = (verdict: 'above' | 'below'): string => {
    const found = agents.filter((it) => it.verdict === verdict).map(({ agent }) => nameOf(agent));
    return found.length > 0 ? new Intl.ListFormat('en').format(found) : 'Nobody';
  };
  const few = agents.filter(({ verdict }) => verdict === 'few_expected').length;
  return [
    agents.some(isNamed) ? words.named(listed('above'), listed('below').replace('Nobody', 'nobody')) : words.nobody,
    ...(few > 0 ? [words.few[unit]] : []),
    ...(dispersion > 1.05 ? [words.swing(say(Math.round(dispersion * 10) / 10, 'count', locale))] : []),
  ].join(' ');
}

function optionOf(
  of: OutcomeExpected,
  drawn: readonly AgentExpected[],
  nameOf: (agent: string) => string,
  setting: Setting,
) {
  const { theme, locale } = setting;
  const { limits, one, unit } = of;
  const weights = drawn.map(({ weight }) => weight);
  const { max: right, interval } = scale(Math.max(...weights) * 1.05, 'count');
  const usual = (limits.verdict * one) / Math.sqrt(Math.max(...weights) / 4);
  const farthest = Math.max(usual, ...drawn.map((it) => Math.abs(apart(it, of)) * 1.15));
  const top = unit === 'share' ? Math.min(1, farthest) : farthest;
  const far = scale(top, 'share');
  const axis = { axisLine: { show: false }, axisTick: { show: false } };
  const sign = (value: number): string => (value < 0 ? '−' : value > 0 ? '+' : '');
  const labelled = (value: number): string =>
    sign(value) +
    (unit === 'share'
      ? sayShort(Math.abs(value) * 100, 'count', locale)
      : sayShort(Math.round(Math.abs(Math.exp(value) - 1) * 100) / 100, 'share', locale));
  return {
    ...base(theme),
    grid: { left: 8, right: 24, top: 28, bottom: 28, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: {
      ...{ type: 'value', min: 0, max: right, interval, ...axis },
      ...{ name: words.across(words.counts[of.id]), nameLocation: 'middle', nameGap: 28 },
      nameTextStyle: { color: theme.muted, fontSize: 12 },
      axisLabel: {
        color: theme.muted,
        fontSize: 12,
        hideOverlap: true,
        formatter: (value: number) => sayShort(value, 'count', locale),
      },
      splitLine: { show: false },
    },
    yAxis: {
      ...{ type: 'value', min: -far.max, max: far.max, interval: far.interval, ...axis },
      ...{ name: words.axis[unit], nameLocation: 'end', nameGap: 12 },
      nameTextStyle: { color: theme.muted, fontSize: 12, align: 'left' },
      axisLabel: { color: theme.muted, fontSize: 12, hideOverlap: true, formatter: labelled },
      splitLine: { lineStyle: { color: theme.hairline, width: 1 } },
    },
    series: [
      ...limitLines(of, right, far.max, setting),
      {
        type: 'line',
        name: words.names[of.id],
        symbol: 'circle',
        symbolSize: 11,
        showAllSymbol: true,
        lineStyle: { width: 0 },
        z: 5,
        data: drawn.map((it) => dotOf(it, of, nameOf(it.agent), setting)),
        emphasis: { disabled: true },
        labelLayout: { hideOverlap: true },
      },
    ],
  };
}

function dotOf(it: AgentExpected, of: OutcomeExpected, name: string, setting: Setting) {
  const { theme } = setting;
  const named = isNamed(it);
  return {
    value: [it.weight, apart(it, of)],
    itemStyle: named
      ? { color: colour('series-1', setting), borderColor: theme.canvas, borderWidth: 1 }
      : { color: theme.canvas, borderColor: theme.muted, borderWidth: 2 },
    label: {
      show: named,
      position: it.verdict === 'above' ? 'top' : 'bottom',
      formatter: name.length > 22 ? `${name.slice(0, 21)}…` : name,
      ...{ color: theme.text, fontSize: 12 },
    },
  };
}

/** Whether an agent is named only beyond the 99.8 % limits. */
const isFarther = ({ verdict, outer }: OutcomeExpected['limits']): boolean => verdict > outer + 0.01;

/** 95 % and 99.8 % limits on both sides, and the flagging limit if it differs. */
function limitLines({ limits, one }: OutcomeExpected, right: number, top: number, { theme }: Setting): object[] {
  const kinds = [
    { z: limits.inner, type: [2, 4] },
    { z: limits.outer, type: [6, 4] },
    ...(isFarther(limits) ? [{ z: limits.verdict, type: 'solid' }] : []),
  ];
  return kinds.flatMap(({ z, type }) =>
    [1, -1].map((side) => ({
      type: 'line',
      silent: true,
      symbol: 'none',
      z: 1,
      lineStyle: { width: 1, color: theme.muted, type },
      data: Array.from({ length: steps }, (_, at) => {
        const weight = (right * (at + 1)) / steps;
        const value = (z * one) / Math.sqrt(weight);
        return value > top ? null : [weight, side * value];
      }).filter((point) => point !== null),
      emphasis: { disabled: true },
    })),
  );
}
