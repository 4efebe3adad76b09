// File name of a saved panel: account, panel and days.

/** "default-how-waits-ended-2026-10-23-to-2026-11-21.png". `from` and `to` are local dates. */
export function fileName(account: string, title: string, from: string, to: string, ending: string): string {
  const name = `${account} ${title}`
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return `${name.replace(/^-|-$/g, '')}-${from}${from === to ? '' : `-to-${to}`}.${ending}`;
}
