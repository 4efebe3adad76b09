// Ports of this machine.
import { createServer, type AddressInfo, type Server } from 'node:net';

/** Holds a port until it is closed. */
export async function takePort(): Promise<{ port: number; taken: Server }> {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  return { port: (taken.address() as AddressInfo).port, taken };
}

/** One that was free a moment ago. */
export async function freePort(): Promise<number> {
  const { port, taken } = await takePort();
  await new Promise((resolve) => taken.close(resolve));
  return port;
}
