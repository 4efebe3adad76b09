// A filled data folder, an empty database, and the products that run beside them until all of it is ended.
import { freePort } from '../ports.ts';
import { filledFolder, type Filled } from '../server/filled.ts';
import { beginNode, until, type Running } from '../server/program.ts';
import { rawDatabase, type RawDatabase } from './raw.ts';

export interface Products {
  pulled: Filled;
  database: RawDatabase;
  /** The origin of a product that was begun with these words of Node, once it is ready. */
  ready(words: readonly string[], settings: Record<string, string>, folder: string): Promise<string>;
  /** Ends the products, the database and the service. */
  end(): Promise<void>;
}

export async function products(password?: string): Promise<Products> {
  const [pulled, database] = await Promise.all([filledFolder(), rawDatabase(password)]);
  const running: Running[] = [];
  return {
    pulled,
    database,
    async ready(words, settings, folder) {
      const port = String(await freePort());
      const run = beginNode(words, { ...settings, CHATLEDGER_PORT: port }, folder);
      running.push(run);
      const origin = `http://127.0.0.1:${port}`;
      const isReady = (): Promise<boolean> =>
        fetch(`${origin}/api/ready`).then(
          ({ ok }) => ok,
          () => false,
        );
      await until(isReady, 400, `the server: ${run.said().slice(-500)}`);
      return origin;
    },
    async end() {
      for (const { child, ended } of running) {
        child.kill('SIGTERM');
        await ended;
      }
      await database.close();
      await pulled.service.close();
    },
  };
}
