// Sizes of files in words.

/** 12.4 MB, 1.2 GB. */
export function sizeOf(bytes: number, locale: string): string {
  const units = ['kB', 'MB', 'GB', 'TB'];
  let [size, place] = [bytes / 1000, 0];
  while (size >= 1000 && place < units.length - 1) [size, place] = [size / 1000, place + 1];
  return `${new Intl.NumberFormat(locale, { maximumFractionDigits: size < 100 ? 1 : 0 }).format(size)} ${units[place]}`;
}
