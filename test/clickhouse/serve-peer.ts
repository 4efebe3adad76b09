// ClickHouse in a process as a server on a port, for whoever has none: `node test/clickhouse/serve-peer.ts [port]`, until Ctrl-C.
import { once } from 'node:events';
import { startPeer } from './peer.ts';

const [port = '0'] = process.argv.slice(2);
const peer = await startPeer('', Number(port));
process.stdout.write(`${peer.url}\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await peer.close();
