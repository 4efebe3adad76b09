// Light, dark or system theme, stored in a cookie so that the first paint is right without a script.

export const themes = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themes)[number];

export function isTheme(text: string | undefined): text is ThemeChoice {
  return themes.some((it) => it === text);
}
