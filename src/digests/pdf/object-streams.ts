// Packs the objects of a PDF into compressed object streams (PDF 1.5): tags take nine tenths of a document of tables.
import { deflateSync } from 'node:zlib';

/** Objects of one stream: readers unpack a stream as a whole. */
const most_together = 200;

interface PdfObject {
  id: number;
  bytes: Buffer;
  isStream: boolean;
}

/** A document with an unexpected layout is returned unchanged. */
export function packed(pdf: Uint8Array): Uint8Array {
  const source = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength);
  const read = partsOf(source);
  if (!read) return pdf;
  const { parts, trailer } = read;
  const places = new Map<number, [type: 1 | 2, where: number, index: number]>();
  const chunks: Buffer[] = [];
  let length = 0;
  const write = (bytes: Buffer): void => {
    chunks.push(bytes);
    length += bytes.length;
  };
  const writeStream = (id: number, dictionary: string, content: Buffer): void => {
    places.set(id, [1, length, 0]);
    const body = deflateSync(content, { level: 9 });
    write(
      Buffer.from(`${id} 0 obj\n<< ${dictionary} /Filter /FlateDecode /Length ${body.length} >>\nstream\n`, 'latin1'),
    );
    write(body);
    write(Buffer.from('\nendstream\nendobj\n', 'latin1'));
  };
  write(source.subarray(0, source.indexOf('\n', source.indexOf('\n') + 1) + 1));
  for (const { id, bytes } of parts.filter(({ isStream }) => isStream)) {
    places.set(id, [1, length, 0]);
    write(Buffer.concat([Buffer.from(`${id} 0 obj`, 'latin1'), bytes, Buffer.from('endobj\n', 'latin1')]));
  }
  const small = parts.filter(({ isStream }) => !isStream);
  let next = Math.max(...parts.map(({ id }) => id)) + 1;
  for (let at = 0; at < small.length; at += most_together) {
    const together = small.slice(at, at + most_together);
    let offset = 0;
    const heads = together.map(({ id, bytes }, index) => {
      places.set(id, [2, next, index]);
      const head = `${id} ${offset}`;
      offset += bytes.length + 1;
      return head;
    });
    const first = Buffer.from(`${heads.join(' ')}\n`, 'latin1');
    const content = Buffer.concat([first, ...together.flatMap(({ bytes }) => [bytes, Buffer.from('\n')])]);
    writeStream(next++, `/Type /ObjStm /N ${together.length} /First ${first.length}`, content);
  }
  const started = length;
  places.set(next, [1, started, 0]);
  const rows = Array.from({ length: next + 1 }, (_, id) => row(places.get(id)));
  writeStream(next, `/Type /XRef /W [1 4 2] /Size ${next + 1} ${trailer}`, Buffer.concat(rows));
  write(Buffer.from(`startxref\n${started}\n%%EOF\n`, 'latin1'));
  return Buffer.concat(chunks);
}

function row(place: [number, number, number] | undefined): Buffer {
  const bytes = Buffer.alloc(7);
  const [type, where, index] = place ?? [0, 0, 0xffff];
  bytes.writeUInt8(type, 0);
  bytes.writeUInt32BE(where, 1);
  bytes.writeUInt16BE(index, 5);
  return bytes;
}

/** The objects according to the cross-reference table, and the trailer's entries other than the size. */
function partsOf(source: Buffer): { parts: PdfObject[]; trailer: string } | undefined {
  const tail = source.toString('latin1', Math.max(0, source.length - 2000));
  const start = Number(/startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)?.[1]);
  const trailer = /trailer\s*<<([\s\S]*)>>\s*startxref/
    .exec(tail)?.[1]
    ?.replace(/\/Size\s+\d+/, '')
    .trim();
  if (!Number.isInteger(start) || trailer === undefined) return undefined;
  const table = source.toString('latin1', start, source.length);
  if (!/^xref\s+0 \d+\s/.test(table)) return undefined;
  const offsets = [...table.matchAll(/^(\d{10}) (\d{5}) ([nf])/gm)].flatMap(([, offset, , kind], id) =>
    kind === 'n' ? [{ id, offset: Number(offset) }] : [],
  );
  const ordered = [...offsets].sort((one, other) => one.offset - other.offset);
  const parts: PdfObject[] = [];
  for (const [at, { id, offset }] of ordered.entries()) {
    const whole = source.subarray(offset, ordered[at + 1]?.offset ?? start);
    const head = /^\s*(\d+) 0 obj/.exec(whole.toString('latin1', 0, 40));
    const end = whole.lastIndexOf('endobj');
    if (!head || Number(head[1]) !== id || end < 0) return undefined;
    const bytes = whole.subarray(head[0].length, end);
    const isStream = bytes
      .toString('latin1', Math.max(0, bytes.length - 20))
      .trimEnd()
      .endsWith('endstream');
    parts.push({ id, bytes, isStream });
  }
  return { parts, trailer };
}
