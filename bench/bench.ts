// The benchmarks; `npm run bench -- help` lists them. `npm run bench -- folder` makes a data folder to look at.
// It measures and prints; it fails nothing.
import { parseArgs } from 'node:util';
import { benchAccounts } from './accounts.ts';
import { benchDoors } from './doors.ts';
import { benchEngines } from './engines.ts';
import { benchFolder } from './folder.ts';
import { benchLoad } from './load.ts';
import { benchMetrics } from './metrics.ts';
import { benchPull } from './pull.ts';
import { benchRedaction } from './redact.ts';
import { benchScale, parts } from './scale/scale.ts';
import { benchService } from './service.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    chats: { type: 'string' },
    keep: { type: 'boolean', default: false },
    only: { type: 'string' },
    range: { type: 'string' },
    data: { type: 'string' },
    url: { type: 'string' },
  },
});

const usage =
  'usage: npm run bench -- [metrics|accounts|load|pull|redact|doors|service]... [--chats N] [--keep] [--only part-of-a-name] [--range 30d|1y|3y]\n' +
  '       npm run bench -- scale [--chats N] [--keep] [--only ' +
  `${parts.join('|')}]\n` +
  '       npm run bench -- engines --url http://127.0.0.1:8123 [--chats N] [--only part-of-a-name]: the file beside a ClickHouse server, ' +
  'in whose database `bench` nothing else is\n' +
  '       npm run bench -- folder --data DIR [--chats N]: a generated account to look at in the browser\n' +
  '--keep leaves the generated warehouse in the temporary folder for the next run (1.5 GB for ten million chats).';

const asked = positionals.length > 0 ? positionals : ['metrics', 'load', 'pull'];
const chats = values.chats === undefined ? undefined : Number(values.chats.replaceAll('_', ''));
const isRight = asked.every((name) =>
  [
    'metrics',
    'accounts',
    'load',
    'pull',
    'redact',
    'doors',
    'service',
    'scale',
    ...(values.data ? ['folder'] : []),
    ...(values.url ? ['engines'] : []),
  ].includes(name),
);
if (asked.includes('scale') && values.only !== undefined && !parts.includes(values.only)) {
  console.error(`--only ${values.only}: scale has ${parts.join(', ')}`);
  process.exitCode = 2;
} else if (!isRight || (chats !== undefined && !(Number.isInteger(chats) && chats >= 10_000))) {
  console.error(`${usage}\n--chats is a whole number of at least 10000`);
  process.exitCode = 2;
} else {
  if (asked.includes('folder') && values.data) await benchFolder(chats ?? 1_000_000, values.data);
  if (asked.includes('metrics'))
    await benchMetrics(chats ?? 1_000_000, { keep: values.keep, only: values.only, range: values.range });
  if (asked.includes('accounts')) await benchAccounts(chats ?? 1_000_000, values.only);
  if (asked.includes('engines') && values.url) await benchEngines(chats ?? 1_000_000, values.url, values.only);
  if (asked.includes('scale')) await benchScale(chats ?? 10_000_000, { keep: values.keep, only: values.only });
  if (asked.includes('load')) await benchLoad(asked.length === 1 && chats ? chats : 60_000);
  if (asked.includes('redact')) benchRedaction(chats ?? 10_000);
  if (asked.includes('doors')) await benchDoors(chats ?? 200_000, values.only);
  if (asked.includes('service')) await benchService(chats ?? 20_000, values.data);
  if (asked.includes('pull')) await benchPull(asked.length === 1 && chats ? chats : 100_000);
}
