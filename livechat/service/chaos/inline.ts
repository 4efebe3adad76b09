// The short form of a plan: `seed=7,reset=0.05,500=0.1,html@/chats*#3x2`. Only the form is read here; plan.ts checks the meaning.

const numbers = ['seed', 'hold_seconds', 'slow_seconds', 'retry_after_seconds'];

interface Raw {
  rates: Record<string, number>;
  script: Record<string, unknown>[];
  [name: string]: unknown;
}

/** A parsed line, and the words that it sets more than once, which makes them ambiguous. */
interface Inline {
  raw: Raw;
  repeated: string[];
}

/**
 * `name=rate` for a fault or a group of faults, `name@path#nthxtimes` for a scripted one (`#nth` and `xtimes` may be left
 * out), and the plan's own words: seed, sticky (`yes`, or names joined by `+`), path, hold_seconds, slow_seconds, retry_after_seconds.
 */
export function readInline(text: string): Inline {
  const raw: Raw = { rates: {}, script: [] };
  const repeated: string[] = [];
  const said = new Set<string>();
  for (const part of text.split(',').map((each) => each.trim())) {
    if (part === '') continue;
    const scripted = /^([^=@]+)@(.*?)(?:#(\d+))?(?:x(\d+))?$/.exec(part);
    if (scripted) {
      raw.script.push(scriptedOf(scripted));
      continue;
    }
    const [name = '', value = ''] = part.split(/=(.*)/s).map((each) => each.trim());
    if (said.has(name)) repeated.push(name);
    said.add(name);
    assign(raw, name, value);
  }
  return { raw, repeated };
}

function scriptedOf([, fault, path, nth, times]: RegExpExecArray): Record<string, unknown> {
  return { fault, path: path || '*', ...(nth && { nth: Number(nth) }), ...(times && { times: Number(times) }) };
}

function assign(raw: Raw, name: string, value: string): void {
  if (numbers.includes(name)) raw[name] = numberOf(value);
  else if (name === 'path') raw.path = value;
  else if (name === 'sticky')
    raw.sticky = value === '' || value === 'yes' ? true : value === 'no' ? false : value.split('+');
  else raw.rates[name] = numberOf(value);
}

/** Anything that is not a number stays NaN and is reported by the plan's validation. */
const numberOf = (value: string): number => (value.trim() === '' ? Number.NaN : Number(value));
