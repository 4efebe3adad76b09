// How a file that a panel is kept as is called: whose numbers, which panel, which days.

/** "default-how-waits-ended-2026-10-23-to-2026-11-21.png". `from` and `to` are local dates. */
export function fileName(account: string, title: string, from: string, to: string, ending: string): string {
  const name = `${account} ${title}`
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return `${name.replace(/^-|-$/g, '')}-${from}${from === to ? '' : `-to-${to}`}.${ending}`;
}
