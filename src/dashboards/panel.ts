// What a panel and a dashboard are: names of metrics and measures and the picture to draw; a panel computes nothing.

/** The unit of every measure of one panel; there are no two axes. */
export type Unit = 'count' | 'seconds' | 'hours' | 'share' | 'score' | 'money';

export type Grain = 'hour' | 'day' | 'week' | 'month' | 'total';

export type PictureName = 'tile' | 'lines' | 'bars' | 'heatmap' | 'ranking' | 'amounts';

/** Colour by meaning; without one, measures take the categorical colours in order. */
export type Tone = 'good' | 'bad';

/** One number of a metric, and its name on this panel. */
export interface Measure {
  measure: string;
  label: string;
  /** When it comes from another metric than the panel's own. */
  metric?: string;
  tone?: Tone;
}

/** A range drawn as a fill behind the lines, such as p50 to p90. */
export interface Band {
  from: string;
  to: string;
  label: string;
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
  split?: string[];
  /** `asked` follows the filter bar; `total` asks for one number per split. */
  grain: 'asked' | 'total';
  /** Draws the period before as well. */
  compare?: boolean;
  band?: Band;
  stacked?: boolean;
  /** The count behind a share or a duration, shown beside it. */
  basis?: { measure: string; label: string };
  /** Which way is good, when one is. */
  better?: 'more' | 'less';
  /** Half of the row on a wide screen instead of all of it. */
  half?: boolean;
  /** What would stand here if there was anything. */
  empty: string;
}

export interface Dashboard {
  id: string;
  title: string;
  sentence: string;
  /** The last part of its address; the overview has none. */
  path: string;
  panels: Panel[];
}
