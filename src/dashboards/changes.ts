// Divides the change of a number between two times among parts, so that the parts and what is left add up to it.

/** A number and what it is weighed by: the chats behind a mean, the ratings behind a share. Null where there is none. */
export interface Weighed {
  value: number | null;
  weight: number | null;
}

export interface Pair {
  now: Weighed;
  before: Weighed;
}

export interface ChangePart extends Pair {
  key: string;
  /** What it brings to the change of the whole, in the unit of the value. */
  change: number;
  /** Of a mean or a share: what of the change comes from its own value; the rest comes from how much of the whole it is (mix). */
  rate?: number;
}

export interface Division {
  /** Now minus before, of the whole. */
  change: number;
  /** Largest change first, whichever its sign. */
  parts: ChangePart[];
  /** What the parts together leave: chats in several parts, or in none. */
  left: number;
}

type Keyed = Pair & { key: string };

/** Of a number that adds up, such as chats: each part's own change. Nothing where the whole is unknown at either time. */
export function divideSum(whole: Pair, parts: Keyed[]): Division | undefined {
  const [now, before] = [whole.now.value, whole.before.value];
  if (now === null || before === null) return undefined;
  return divided(
    now - before,
    parts.map((part) => ({ ...part, change: (part.now.value ?? 0) - (part.before.value ?? 0) })),
  );
}

/**
 * Of a mean or a share: each part's own change at its middling weight, and the change of its weight times how far it is
 * from the whole. A part that was not there before, or is gone, changes by its weight only.
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
