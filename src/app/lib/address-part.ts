// A part of an address, for what is asked of it alone.

/** An address of these parameters only. */
export function addressPart(url: URL, isKept: (name: string) => boolean): URL {
  const kept = new URL(url);
  kept.search = `${new URLSearchParams([...url.searchParams].filter(([name]) => isKept(name)))}`;
  return kept;
}
