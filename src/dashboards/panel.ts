// What a panel and a dashboard are: names of metrics and measures and the picture to draw; a panel computes nothing.
import { isSplittable, type SplitName } from './splits.ts';

/** The unit of every measure on one picture; there are no two axes. */
export type Unit = 'count' | 'seconds' | 'hours' | 'share' | 'score' | 'money';

export type Grain = 'hour' | 'day' | 'week' | 'month' | 'total';

export type PictureName =
  'tile' | 'lines' | 'bars' | 'split' | 'heatmap' | 'four_weeks' | 'ranking' | 'amounts' | 'changes' | 'funnel';

/** Other days than those of the filter bar: today, the same weekday a week ago, or the last days of the range. */
export type Span = 'today' | 'week_ago' | 'week' | 'four_weeks';

/** Colour by meaning, or the one that the measure has elsewhere on the page; without one, measures take the categorical colours in order. */
type Tone = 'good' | 'bad' | `series-${number}`;

/** One number of a metric, and its name on this panel. */
export interface Measure {
  measure: string;
  label: string;
  /** When it comes from another metric than the panel's own. */
  metric?: string;
  tone?: Tone;
  /** Where it is not the panel's: of pictures that show one measure at a time. */
  unit?: Unit;
  /** What a share or a mean is weighed by when its change is divided, such as the ratings behind a CSAT. */
  weight?: string;
}

/** A range drawn as a fill behind the lines, such as p50 to p90. */
interface Band {
  from: string;
  to: string;
  label: string;
  /** Of others than the line is: it need not hold the line, and has a colour of its own. */
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
  /** It counts what comes within the seconds that the filters say. */
  isWithin?: true;
  split?: string[];
  /** `asked` follows the filter bar; `total` asks for one number per split; `hour` stays by hour. */
  grain: 'asked' | 'total' | 'hour';
  span?: Span;
  /** Splits by each of which a change is divided. */
  by?: string[];
  /** Draws what it is compared with as well. */
  compare?: boolean;
  band?: Band;
  stacked?: boolean;
  /** Of a ranking: draws all measures beside each other instead of the first only. */
  beside?: boolean;
  /** Of a ranking with a band: who cannot be told apart shares a rank. */
  ranks?: boolean;
  /** Of a ranking or a split by agent: in the order of names, which says nothing of who is before whom. */
  byName?: boolean;
  /** Of a ranking: in the order of the answer, as weekdays are. */
  inOrder?: true;
  /** Split by its reader, and not by the page. */
  isSplit?: true;
  /** On a board: where it is defined, such as `overview/volume`, and by what it is split unless its reader says otherwise. */
  home?: string;
  splitBy?: SplitName | 'none';
  /** Of a split: its values add up, so that those that are not drawn can be one line. */
  addsUp?: boolean;
  /** Made of figures of single agents: what stands in its place for those who may not see any. */
  unnamed?: Partial<Panel> | 'nothing';
  /** Of a ranking whose words say who comes first: what they are in the order of names. */
  namedWords?: { title?: string; sentence: string };
  /** The count behind a share or a duration, shown beside it. */
  basis?: {
    measure: string;
    label: string;
    /** Of a share: it counts those that the share is about, and not all that it is a share of. */
    isPart?: true;
    /** The measure that counts all that it is a share of, where the count shown is not it. */
    of?: string;
  };
  /** Which way is good, when one is. */
  better?: 'more' | 'less';
  /** Young days have less of it than they will have, so that it is compared over final days or not at all. */
  isLate?: true;
  /** Half of the row on a wide screen instead of all of it. */
  half?: boolean;
  /** What would stand here if there was anything. */
  empty: string;
}

const oneAtATime: readonly PictureName[] = ['heatmap', 'changes', 'four_weeks', 'split'];

/** Whether its picture shows one of its measures at a time. */
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
  /** The last part of its address; the overview has none. */
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

/** The panels for somebody who may not see figures of single agents. */
export const withoutAgents = (panels: readonly Panel[]): Panel[] =>
  panels
    .filter(({ split, unnamed }) => !split?.includes('agent') && unnamed !== 'nothing')
    .map((panel) => (typeof panel.unnamed === 'object' ? { ...panel, ...panel.unnamed } : panel))
    .map((panel) => (panel.by ? { ...panel, by: panel.by.filter((name) => name !== 'agent') } : panel));

/** The panels where agents are not ranked: scores are left out, other lists of agents stand in the order of names. */
export const withoutRanks = (panels: readonly Panel[]): Panel[] =>
  panels.flatMap((panel): Panel[] => {
    const own = panel.by ? { ...panel, by: panel.by.filter((name) => name !== 'agent') } : panel;
    if (isSplittable(panel) || (panel.isSplit && panel.split?.includes('agent'))) return [{ ...own, byName: true }];
    if (panel.picture !== 'ranking' || !panel.split?.includes('agent')) return [own];
    return panel.unit === 'score' ? [] : [{ ...own, ...panel.namedWords, ranks: false, byName: true }];
  });

/** What somebody may see of agents. */
export interface SeesAgents {
  /** Figures of agents by name. */
  isShown: boolean;
  isRanked: boolean;
}

export const panelsFor = (panels: Panel[], { isShown, isRanked }: SeesAgents): Panel[] =>
  !isShown ? withoutAgents(panels) : isRanked ? panels : withoutRanks(panels);
