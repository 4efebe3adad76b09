// One pull in a process of its own, to be killed: `node killing.ts FOLDER URL ZONE SINCE SECOND [ONLY]`.
import { onePull } from './one-pull.ts';

const [path = '', url = '', zone = '', since = '', second = '', only = ''] = process.argv.slice(2);
process.send?.(await onePull(path, { url, zone, since, only }, Number(second)));
process.disconnect?.();
