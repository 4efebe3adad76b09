// The colours that follow from the one accent of an installation, in light and in dark: text in them and on them can be read (WCAG 2).

interface AccentColours {
  accent: string;
  /** Behind what is chosen. */
  soft: string;
  /** Of what stands on the accent. */
  on_accent: string;
}
export type Accent = Record<'light' | 'dark', AccentColours>;

/** What text in the accent stands on, as in src/app/lib/design/tokens.css: canvas, rail, raised, hover. */
export const surfaces = {
  light: ['#ffffff', '#f6f7f9', '#edf0f3'],
  dark: ['#111418', '#0c0e11', '#1a1f25', '#1f252c'],
} as const;

/** The end to which the accent is moved in a theme, how much of it is in its soft form, and what is written on it. */
const themes = {
  light: { end: '#000000', share: 0.1, on_accent: '#ffffff' },
  dark: { end: '#ffffff', share: 0.14, on_accent: '#0c0e11' },
} as const;

/** Level AA for text of usual size. */
export const least_contrast = 4.5;

type Channels = readonly [red: number, green: number, blue: number];

const channelsOf = (colour: string): Channels =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16)) as unknown as Channels;

const mixed = (one: string, other: string, share: number): string => {
  const [from, to] = [channelsOf(one), channelsOf(other)];
  const parts = from.map((part, at) => Math.round(part + ((to[at] ?? part) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
};

/** WCAG's relative luminance of sRGB. */
function luminanceOf(colour: string): number {
  const [red, green, blue] = channelsOf(colour).map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as unknown as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, bright = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dark + 0.05);
}

function coloursIn(theme: keyof typeof themes, colour: string): AccentColours {
  const { end, share, on_accent } = themes[theme];
  const [canvas] = surfaces[theme];
  for (let step = 0; ; step += 1) {
    const accent = mixed(colour, end, step / 100);
    const soft = mixed(canvas, accent, share);
    const backgrounds = [...surfaces[theme], soft, on_accent];
    if (step === 100 || backgrounds.every((it) => contrast(accent, it) >= least_contrast))
      return { accent, soft, on_accent };
  }
}

/** `colour`: #rrggbb. */
export const accentFrom = (colour: string): Accent => ({
  light: coloursIn('light', colour),
  dark: coloursIn('dark', colour),
});

export const isColour = (text: string): boolean => /^#[\da-f]{6}$/i.test(text);
