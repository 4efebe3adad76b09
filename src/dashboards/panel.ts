// Types of panels and dashboards: names of metrics and measures, and the picture to draw; a panel computes nothing.
import { isSplittable, type SplitName } from './splits.ts';

/** The unit of all measures in one picture; there is never a second axis. */
export type Unit = 'count' | 'seconds' | 'hours' | 'share' | 'score' | 'money';

export type Grain = 'hour' | 'day' | 'week' | 'month' | 'total';

export type PictureName =
  | 'tile'
  | 'lines'
  | 'bars'
  | 'split'
  | 'heatmap'
  | 'split_heatmap'
  | 'four_weeks'
  | 'ranking'
  | 'amounts'
  | 'changes'
  | 'funnel';

/** Other days than those of the filter bar: today, the same weekday a week ago, or the last days of the range. */
export type Span = 'today' | 'week_ago' | 'week' | 'four_weeks';

/** Colour by meaning, or the one that the measure has elsewhere on the page; without one, measures take the categorical colours in order. */
type Tone = 'good' | 'bad' | `series-${number}`;

/** One number of a metric, and its name on this panel. */
export interface Measure {
  measure: string;
  label: string;
  /** The metric, if it is not the panel's own. */
  metric?: string;
  tone?: Tone;
  /** The unit, if it is not the panel's; only in pictures that show one measure at a time. */
  unit?: Unit;
  /** The weight of a share or mean when its change is decomposed, such as the ratings behind a CSAT. */
  weight?: string;
}

/** A range drawn as a fill behind the lines, such as p50 to p90. */
interface Band {
  from: string;
  to: string;
  label: string;
  /** Whether the band describes a different population from the line: it need not contain the line, and has its own colour. */
  isApart?: boolean;
}

export interface Panel {
  id: string;
  title: string;
  /** What the number means, in plain words. */
  sentence: string;
  unit: Unit;
  picture: PictureName;
  metric: string;
  measures: Measure[];
  /** Whether it counts events within the target of the filters. */
  isWithin?: true;
  split?: string[];
  /** `asked` follows the filter bar; `total` asks for one number per split; `hour` stays by hour. */
  grain: 'asked' | 'total' | 'hour';
  span?: Span;
  /** Splits by which a change is decomposed. */
  by?: string[];
  /** Whether the compared period is drawn as well. */
  compare?: boolean;
  band?: Band;
  stacked?: boolean;
  /** For rankings: draws all measures side by side instead of only the first. */
  beside?: boolean;
  /** For rankings: an entry can only have one of the measures, so that its others are 0 by their nature. */
  oneOfEach?: true;
  /** For rankings with a band: entries that cannot be told apart share a rank. */
  ranks?: boolean;
  /** For rankings and splits by agent: sorted by name, so that nobody is placed before anybody else. */
  byName?: boolean;
  /** For rankings: keeps the order of the answer, as for weekdays. */
  inOrder?: true;
  /** A heatmap that cannot be split: the source reports its hours for the account alone. */
  isUnsplittable?: true;
  /** Split by its reader, and not by the page. */
  isSplit?: true;
  /** On a board: the panel's definition, such as `overview/volume`, and its default split. */
  home?: string;
  splitBy?: SplitName | 'none';
  /** For splits: the values add up, so that those not drawn can be combined into one line. */
  addsUp?: boolean;
  /** What replaces a panel about single agents for readers who may not see them. */
  unnamed?: Partial<Panel> | 'nothing';
  /** For rankings whose texts mention who comes first: their texts when sorted by name. */
  namedWords?: { title?: string; sentence: string };
  /** The count behind a share (its denominator) or duration, shown next to it. */
  basis?: { measure: string; label: string };
  /** Which way is good, when one is. */
  better?: 'more' | 'less';
  /** Recent days have less of it than they will have in the end, so it is compared over final days or not at all. */
  isLate?: true;
  /** Half of the row on a wide screen instead of all of it. */
  half?: boolean;
  /** Shown when there are no data. */
  empty: string;
  /** For tiles by currency: what there is none of, where the range is known and holds nothing. */
  none?: string;
}

const oneAtATime: readonly PictureName[] = ['heatmap', 'split_heatmap', 'changes', 'four_weeks', 'split'];

/** Whether the picture shows one measure at a time. */
export const isOneAtATime = ({ picture }: Panel): boolean => oneAtATime.includes(picture);

/** What every panel of the picture `changes` has in common. */
export const whatChanged = {
  id: 'changes',
  title: 'What changed most',
  sentence:
    'How this range differs from what it is compared with, and which group, agent, tag and hour account for it. Each list adds up to the change.',
  picture: 'changes',
  by: ['group', 'agent', 'tag', 'hour_of_day'],
  grain: 'total',
  empty: 'What brought the change would be listed here.',
} satisfies Partial<Panel>;

/** In the order of the menu. */
export const menuGroups = ['', 'service', 'quality', 'outcome', 'trust'] as const;
export type MenuGroup = (typeof menuGroups)[number];

export interface Dashboard {
  id: string;
  title: string;
  sentence: string;
  /** The last segment of its address; empty for the overview. */
  path: string;
  menu: {
    /** Empty: above the groups. */
    group: MenuGroup;
    /** Path of an SVG of 20 by 20, drawn with one stroke. */
    icon: string;
    /** For the bar of a narrow screen, where the title is too long for it. */
    short?: string;
    /** A narrow screen shows it without opening the menu. */
    isOften?: true;
  };
  panels: Panel[];
  /** Numbers of today so far, above the rest. */
  today?: Panel[];
  /** What visitors wrote after their chats, below the rest. */
  comments?: boolean;
}

/** The panels for readers who may not see figures of single agents. */
export const withoutAgents = (panels: readonly Panel[]): Panel[] =>
  panels
    .filter(({ split, unnamed }) => !split?.includes('agent') && unnamed !== 'nothing')
    .map((panel) => (typeof panel.unnamed === 'object' ? { ...panel, ...panel.unnamed } : panel))
    .map((panel) => (panel.by ? { ...panel, by: panel.by.filter((name) => name !== 'agent') } : panel));

/** The panels where agents are not ranked: scores are omitted, other lists of agents are sorted by name. */
export const withoutRanks = (panels: readonly Panel[]): Panel[] =>
  panels.flatMap((panel): Panel[] => {
    const own = panel.by ? { ...panel, by: panel.by.filter((name) => name !== 'agent') } : panel;
    if (isSplittable(panel) || (panel.isSplit && panel.split?.includes('agent'))) return [{ ...own, byName: true }];
    if (panel.picture !== 'ranking' || !panel.split?.includes('agent')) return [own];
    return panel.unit === 'score' ? [] : [{ ...own, ...panel.namedWords, ranks: false, byName: true }];
  });

/** What a reader may see of agents. */
export interface SeesAgents {
  /** Figures of agents by name. */
  isShown: boolean;
  isRanked: boolean;
}

export const panelsFor = (panels: Panel[], { isShown, isRanked }: SeesAgents): Panel[] =>
  !isShown ? withoutAgents(panels) : isRanked ? panels : withoutRanks(panels);
