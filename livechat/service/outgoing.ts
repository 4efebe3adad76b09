// Requests that the service sends to addresses which callers gave it: only to where they may go, without redirects, bounded in time and size.
import { Agent, buildConnector, request } from 'undici';
import { lookupFor, OutOfReach, refusalOf, type Reach } from '#network/reach.ts';

interface OutgoingRequest {
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

interface OutgoingBounds {
  /** From the lookup of the name to the last byte. */
  milliseconds: number;
  /** Bytes of the answer that are read. */
  bytes: number;
  /** Ends the request early. */
  signal?: AbortSignal;
}

interface OutgoingAnswer {
  status: number;
  /** Media type as the other side named it. */
  type: string;
  body: Buffer;
  /** There was more than is read. */
  is_cut: boolean;
}

/**
 * The answer, whatever its status. The name is resolved once, and the connection goes to what was found. Throws OutOfReach for what may
 * not be asked, and what went wrong otherwise.
 */
export async function outgoing(
  address: string,
  { method, headers = {}, body }: OutgoingRequest,
  { milliseconds, bytes, signal }: OutgoingBounds,
  reach: Reach,
): Promise<OutgoingAnswer> {
  const url = new URL(address);
  if (!/^https?:$/.test(url.protocol)) throw new OutOfReach(url.protocol, reach.setting);
  if (refusalOf(address, reach) !== undefined) throw new OutOfReach(url.host, reach.setting);
  const limit = AbortSignal.any([AbortSignal.timeout(milliseconds), ...(signal ? [signal] : [])]);
  const dispatcher = new Agent({ connect: buildConnector({ lookup: lookupFor(url, reach), timeout: milliseconds }) });
  try {
    const answer = await request(url, {
      ...{ method, headers, dispatcher, signal: limit, headersTimeout: milliseconds, bodyTimeout: milliseconds },
      ...(body !== undefined && { body }),
    });
    const pieces: Buffer[] = [];
    let taken = 0;
    for await (const piece of answer.body as AsyncIterable<Buffer>) {
      pieces.push(piece);
      taken += piece.byteLength;
      if (taken > bytes) break;
    }
    const type = [answer.headers['content-type']].flat()[0] ?? '';
    return { status: answer.statusCode, type, body: Buffer.concat(pieces).subarray(0, bytes), is_cut: taken > bytes };
  } catch (error) {
    if (limit.aborted && !signal?.aborted)
      throw new Error(`no answer within ${milliseconds / 1000} s`, { cause: error });
    throw error;
  } finally {
    await dispatcher.destroy();
  }
}
