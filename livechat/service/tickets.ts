// The tickets of the account in memory, by creation, as bytes; what is told by no report is left out.
import { createColumns, firstPlace } from './columns.ts';
import { createPackedRecords, createPacking } from './packing.ts';
import type { TicketRecord } from './records.ts';

export type Ticket = Omit<TicketRecord, 'id'>;

export function createTickets() {
  const packing = createPacking();
  const { put, putSigned, putWord, putList, take, takeSigned, takeWord, takeList } = packing;
  const records = createPackedRecords();
  /** `latest` is the instant of the last that happens to the ticket. */
  const columns = createColumns(['created', 'latest', 'place']);

  function pack({
    source,
    groups,
    assignee,
    created,
    first_response,
    solved,
    ratings,
    tags,
  }: TicketRecord): Uint8Array {
    packing.begin();
    putWord(source);
    putList(groups, putSigned);
    putList(assignee === null ? [] : [assignee], putWord);
    putSigned(created);
    putList(first_response === null ? [] : [first_response - created], putSigned);
    putList(solved, (at) => putSigned(at - created));
    putList(ratings, ({ at, rate }) => {
      putSigned(at - created);
      put(Number(rate === 'rated_good'));
    });
    putList(tags, putWord);
    return packing.written();
  }
  function unpack(place: number): Ticket {
    records.goTo(packing, place);
    const source = takeWord() as Ticket['source'];
    const groups = takeList(takeSigned);
    const [assignee = null] = takeList(takeWord);
    const created = takeSigned();
    const instant = (): number => created + takeSigned();
    const [first_response = null] = takeList(instant);
    const solved = takeList(instant);
    const ratings = takeList((): Ticket['ratings'][number] => ({
      at: instant(),
      rate: take() === 1 ? 'rated_good' : 'rated_bad',
    }));
    return { ...{ source, groups, assignee, created, first_response, solved, ratings }, tags: takeList(takeWord) };
  }

  return {
    get length(): number {
      return columns.length;
    },
    put(ticket: TicketRecord): void {
      const { created, first_response, solved, ratings } = ticket;
      const latest = Math.max(created, first_response ?? 0, ...solved, ...ratings.map(({ at }) => at));
      const place = firstPlace(columns.of.created, columns.length, created, { or_same: false });
      columns.insert(place, { created, latest, place: records.add(pack(ticket)) });
    },
    /** The earliest creation, or Infinity without any. */
    earliest: (): number => (columns.length > 0 ? columns.of.created[0]! : Infinity),
    /** Those that were made up to `to` and to which something happens at or after `from`. */
    *between(from: number, to: number): Generator<Ticket> {
      const { created, latest, place: places } = columns.of;
      for (let place = 0; place < columns.length && created[place]! <= to; place++)
        if (latest[place]! >= from) yield unpack(places[place]!);
    },
  };
}
