// Fills in phrases, and occasionally adds text that is hard to display, store or export.
import { EMOJI, FOREIGN, PRODUCTS, THANKS, TOPICS, type Topic, type Voice } from './phrases.ts';
import type { Language } from './places.ts';
import type { Random } from './random.ts';

const GIANT_LENGTH = 16_384;
const GAP = /\{(\w+)\}/g;

/** One conversation's words: the same product, order and amount all along. */
export interface Wording {
  topic: Topic;
  /** A phrase with its gaps filled in. */
  say: (phrase: string) => string;
  /** A visitor's line: in the visitor's language, sometimes odd, very rarely gigantic. */
  visitorLine: (part: keyof Voice) => string;
}

export function createWording(
  random: Random,
  group: number,
  language: Language,
  agentName: string,
  oddLines: readonly string[],
): Wording {
  const filling: Record<string, string> = {
    product: random.pick(PRODUCTS),
    order: `V-${random.between(100_000, 999_999)}`,
    amount: `€${random.between(9, 480)}.${random.pick(['00', '50', '90', '99'])}`,
    size: String(random.between(152, 201)),
    agent: agentName,
  };
  const say = (phrase: string) =>
    phrase.includes('{') ? phrase.replace(GAP, (_, gap: string) => filling[gap] ?? gap) : phrase;

  const topic = TOPICS[group] ?? (TOPICS[0] as Topic);
  const voice: Voice = language === 'en' ? { ...topic, thanks: THANKS } : FOREIGN[language];

  function visitorLine(part: keyof Voice): string {
    const dice = random.unit();
    if (dice < 0.0025) return random.pick(oddLines);
    if (dice < 0.00262) return giant(random);
    const line = say(random.pick(voice[part]));
    return dice > 0.95 ? `${line} ${random.pick(EMOJI)}` : line;
  }

  return { topic, say, visitorLine };
}

/** A pasted log file, as some visitors send one. */
function giant(random: Random): string {
  const lines = ['Here is the whole log:'];
  for (let length = 0; length < GIANT_LENGTH; length += lines.at(-1)?.length ?? 0) {
    lines.push(
      `[${random.between(1000, 99_999)}] ble: packet ${random.hex(24)} dropped, retry ${random.between(1, 9)}`,
    );
  }
  return lines.join('\n').slice(0, GIANT_LENGTH);
}
