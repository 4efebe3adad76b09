// The colours of pictures in light and dark; the same values are CSS variables in src/app/lib/design/tokens.css.

export interface Theme {
  name: 'light' | 'dark';
  canvas: string;
  text: string;
  muted: string;
  hairline: string;
  /** The compared period, behind everything. */
  before: string;
  /** Okabe-Ito order, tuned for the canvas. */
  series: [string, ...string[]];
  good: string;
  bad: string;
  /** One hue, lightness in even steps, from zero to most. */
  heat: string[];
  hatch: string;
  /** Drawn over fills whose period may still change. */
  hatchOver: string;
}

export const light: Theme = {
  name: 'light',
  canvas: '#ffffff',
  text: '#171b21',
  muted: '#59626e',
  hairline: '#e6e9ed',
  before: '#a9b1bb',
  series: ['#0067a5', '#c98200', '#00805c', '#c14f00', '#a8578a', '#3a97cf', '#8c8200'],
  good: '#00805c',
  bad: '#c14f00',
  heat: ['#eef3f8', '#cfe0ef', '#a6c8e3', '#74aad3', '#3f88bd', '#12649d', '#064272'],
  hatch: '#cdd3da',
  hatchOver: 'rgba(255, 255, 255, 0.55)',
};

export const dark: Theme = {
  name: 'dark',
  canvas: '#111418',
  text: '#e7eaee',
  muted: '#9ba5b1',
  hairline: '#272d35',
  before: '#5d6773',
  series: ['#5aaee6', '#e9ac3a', '#3cc39a', '#f08a4b', '#d98fbd', '#8fd0f5', '#d9cf4a'],
  good: '#3cc39a',
  bad: '#f08a4b',
  heat: ['#1b222b', '#1c3a55', '#1f527b', '#2a6fa5', '#4590c9', '#74b3e3', '#b5daf6'],
  hatch: '#39424d',
  hatchOver: 'rgba(17, 20, 24, 0.55)',
};

/** The name of a colour as a CSS variable, so that keys and tooltips follow the theme without a script. */
export type ThemeToken = `series-${number}` | 'good' | 'bad' | 'before' | 'muted' | `heat-${number}` | 'hatch';
