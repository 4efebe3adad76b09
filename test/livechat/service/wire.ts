// A client without any mercy or repair: one request on a connection of its own, and what came back as bytes.
import { Agent, request } from 'undici';

export interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
  text: string;
  milliseconds: number;
}

const patience_ms = 1500;

/** @throws what undici throws when the line breaks or nothing comes in time. */
export async function undiciAnswer(url: string, headers: Record<string, string>, json?: unknown): Promise<Got> {
  const dispatcher = new Agent({ headersTimeout: patience_ms, bodyTimeout: patience_ms });
  const started = performance.now();
  try {
    const {
      statusCode,
      headers: said,
      body,
    } = await request(url, {
      dispatcher,
      headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    });
    const bytes = Buffer.from(await body.arrayBuffer());
    const milliseconds = performance.now() - started;
    return { status: statusCode, headers: said, body: bytes, text: bytes.toString('utf8'), milliseconds };
  } finally {
    await dispatcher.destroy();
  }
}
