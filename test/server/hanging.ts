// A command that hangs while it ends, in the way that its argument names: `node hanging.ts promise|engine|loop`
import { endNow, leave, lifetime } from '#server/shutdown.ts';
import { openWarehouse } from '#warehouse/store/open.ts';

const ways: Record<string, () => void | Promise<void>> = {
  promise: () => new Promise(() => undefined),
  engine: () => undefined,
  loop() {
    for (;;);
  },
};
const way = process.argv[2] ?? '';

await lifetime(async ({ told, works }) => {
  setInterval(() => undefined, 1000);
  if (way === 'engine') {
    const engine = await openWarehouse(':memory:');
    void engine.query('select count(*) as n from range(100000000000) where range % 7 = 3').catch(() => endNow(9));
  }
  works(ways[way] ?? (() => undefined));
  process.stdout.write('ready\n');
  await told;
});
await leave();
