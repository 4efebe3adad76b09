// Shortens names to the room in front of a bar. A server draws without a browser: widths are those of kinds of letters in Inter.

/** Of a letter at 12 px, rounded up; the first kind that fits. */
const kinds: readonly (readonly [RegExp, number])[] = [
  [/[\p{Mn}\p{Cf}]/u, 0],
  [
    /[\u1100-\u11ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\p{Extended_Pictographic}]/u,
    12,
  ],
  [/[\s.,:;'|!iIjlfrt()[\]-]/u, 4.6],
  [/[mwMW@%—…жшщюыфмЖШЩЮЫФМ]/u, 11.5],
  [/\p{Lu}/u, 8.8],
  [/[\u0590-\u08ff\ufb1d-\ufefc]/u, 7],
  [/./u, 7.1],
];

/** Pixels that a text takes at most, at 12 px. */
export const widthOf = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (kinds.find(([kind]) => kind.test(letter))?.[1] ?? 12), 0);

/** The beginning of a name that fits, with an ellipsis when it is not all of it. */
export function fitted(name: string, room: number): string {
  if (widthOf(name) <= room) return name;
  const letters = [...name];
  let left = room - widthOf('…');
  const end = letters.findIndex((letter) => (left -= widthOf(letter)) < 0);
  return `${letters.slice(0, end).join('').trimEnd()}…`;
}
