// The band of an agent's colleagues behind the line or the bars of a number: the middle half as a fill, the median dotted.
import { sayShort } from '../numbers.ts';
import type { Panel } from '../panel.ts';
import { bandsAt, figureOf, teamOfTile, teamSentence, type TeamFigures } from '../team.ts';
import { teamWords as words } from '../team-words.ts';
import { DENSE } from './dense.ts';
import type { KeyEntry, Setting, Tip } from './picture.ts';

/** The team of a range with what draws it: the agent's page loads it. */
export interface ShownTeam {
  /** By the labels of the picture. */
  band(panel: Panel, labels: readonly string[], setting: Setting): DrawnBand | undefined;
  tile(panel: Panel, locale: string): string | undefined;
}

interface DrawnBand {
  /** For the axis. */
  highest: number;
  series: object[];
  key: KeyEntry[];
  sentence: string;
  tips(all: Tip[]): Tip[];
}

export const shownTeam = (team: TeamFigures): ShownTeam => ({
  band: (...of) => drawnBand(team, ...of),
  tile: (panel, locale) => teamOfTile(panel, team, locale),
});

function drawnBand(
  team: TeamFigures,
  panel: Panel,
  labels: readonly string[],
  setting: Setting,
): DrawnBand | undefined {
  const figure = figureOf(panel, team);
  if (!figure) return undefined;
  const sentence = teamSentence(figure, panel.unit, team, setting.locale);
  // With several hours per pixel no band is drawn, and the sentence describes it.
  const bands = labels.length > DENSE ? [] : bandsAt(figure, labels, team);
  if (!bands.some(Boolean)) return { highest: 0, series: [], key: [], sentence, tips: (all) => all };
  const short = (value: number): string => sayShort(value, panel.unit, setting.locale);
  return {
    highest: Math.max(...bands.map((it) => it?.p75 ?? 0)),
    series: strokes(bands, setting),
    key: [{ token: 'muted', label: words.key, mark: 'band' }],
    sentence,
    tips: (all) =>
      all.map((tip, place) => {
        const band = bands[place];
        if (!band) return tip;
        const value = words.told(short(band.median), short(band.p25), short(band.p75));
        return { ...tip, lines: [...tip.lines, { token: 'muted', name: words.name, value }] };
      }),
  };
}

/** An unseen lower edge, the distance to the upper one on it, and the median. */
function strokes(bands: ReturnType<typeof bandsAt>, { theme }: Setting): object[] {
  const unseen = {
    ...{ type: 'line', silent: true, symbol: 'none', step: 'middle', stack: 'colleagues', z: 1 },
    ...{ tooltip: { show: false }, lineStyle: { width: 0 }, emphasis: { disabled: true } },
  };
  const opacity = theme.name === 'light' ? 0.14 : 0.24;
  return [
    { ...unseen, data: bands.map((it) => it && it.p25) },
    { ...unseen, data: bands.map((it) => it && it.p75 - it.p25), areaStyle: { color: theme.muted, opacity } },
    {
      ...{ ...unseen, stack: undefined, data: bands.map((it) => it && it.median) },
      lineStyle: { width: 1.5, type: [1.5, 3], color: theme.muted },
    },
  ];
}
