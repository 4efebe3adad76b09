// How a long-running command ends, and where it can be reached until then.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Resolves at Ctrl-C, at a polite kill, or when the terminal closes. A second Ctrl-C ends at once. */
export function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}

export function addressOf(server: Server): string {
  const { address, port, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
