// A value as JSON in pieces: long lists a part at a time, so that writing them keeps nobody waiting.
import { TimeSlice } from '#warehouse/time-slice.ts';

const at_once = 500;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The same text as `JSON.stringify`. Errors: Cancelled, when nobody waits for it any more. */
export async function* jsonInPieces(value: object, turn = new TimeSlice()): AsyncGenerator<string> {
  if (Array.isArray(value)) return yield* listInPieces(value, turn);
  let before = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (Array.isArray(member)) yield* listInPieces(member, turn);
    else if (isObject(member) && Object.values(member).some(Array.isArray)) yield* jsonInPieces(member, turn);
    else yield JSON.stringify(member);
  }
  yield before === '{' ? '{}' : '}';
}

async function* listInPieces(list: readonly unknown[], turn: TimeSlice): AsyncGenerator<string> {
  if (list.length <= at_once) return yield JSON.stringify(list);
  for (let from = 0; from < list.length; from += at_once) {
    if (turn.isOver()) await turn.next();
    const part = JSON.stringify(list.slice(from, from + at_once)).slice(1, -1);
    yield `${from === 0 ? '[' : ','}${part}`;
  }
  yield ']';
}
