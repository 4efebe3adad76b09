// Decomposes the change of a number between two periods into parts that, together with a remainder, add up to it.

/** A number and its weight: the chats behind a mean, the ratings behind a share. Null without one. */
export interface Weighed {
  value: number | null;
  weight: number | null;
  /** Of durations: the standard deviation of their logarithms, where it is known. */
  spread?: number;
}

export interface Pair {
  now: Weighed;
  before: Weighed;
}

export interface ChangePart extends Pair {
  key: string;
  /** Its contribution to the total change, in the unit of the value. */
  change: number;
  /** For means and shares: the contribution of its own value; the rest comes from its weight in the whole (mix). */
  rate?: number;
}

export interface Division {
  /** Now minus before, of the whole. */
  change: number;
  /** Largest change first, whichever its sign. */
  parts: ChangePart[];
  /** The remainder: chats in several parts, or in none. */
  left: number;
}

type Keyed = Pair & { key: string };

/** For additive numbers such as chats: each part's own change. Undefined if the whole is unknown in either period. */
export function divideSum(whole: Pair, parts: Keyed[]): Division | undefined {
  const [now, before] = [whole.now.value, whole.before.value];
  if (now === null || before === null) return undefined;
  return divided(
    now - before,
    parts.map((part) => ({ ...part, change: (part.now.value ?? 0) - (part.before.value ?? 0) })),
  );
}

/**
 * For means and shares: each part's own change at its average weight, plus the change of its weight times its distance from the whole. A
 * part that is new or gone contributes through its weight only.
 */
export function divideMean(whole: Pair, parts: Keyed[]): Division | undefined {
  const { now, before } = whole;
  if (now.value === null || before.value === null || !now.weight || !before.weight) return undefined;
  const middle = (now.value + before.value) / 2;
  const [allNow, allBefore] = [now.weight, before.weight];
  const change = ({ now, before }: Pair) => {
    const [own, earlier] = [now.value ?? before.value, before.value ?? now.value];
    if (own === null || earlier === null) return { change: 0, rate: 0 };
    const [share, earlierShare] = [(now.weight ?? 0) / allNow, (before.weight ?? 0) / allBefore];
    const rate = ((own - earlier) * (share + earlierShare)) / 2;
    return { change: rate + (share - earlierShare) * ((own + earlier) / 2 - middle), rate };
  };
  return divided(
    now.value - before.value,
    parts.map((part) => ({ ...part, ...change(part) })),
  );
}

function divided(change: number, parts: ChangePart[]): Division {
  parts.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || a.key.localeCompare(b.key));
  const told = parts.reduce((sum, part) => sum + part.change, 0);
  return { change, parts, left: change - told };
}
