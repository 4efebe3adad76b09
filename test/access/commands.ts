// What may be done from the machine itself, command by command, and what each refuses whoever it is.
export interface Commanded {
  /** What whoever runs it must be able to read; the others tell nothing of anybody. */
  needs: 'the data folder' | 'a running product' | 'nothing';
  /** What shows or changes something. */
  asked: readonly string[];
  /** What it is asked for that nobody may have, and the words of its refusal. */
  refuses: readonly [words: readonly string[], says: string];
  /** What is said of settings that would open more than they may. */
  settings?: Readonly<Record<string, string>>;
}

const folder = 'the data folder';
const outside = { CHATLEDGER_HOST: '0.0.0.0' };
const noProxy = 'CHATLEDGER_TRUSTED_PROXIES';

/** The first admin is olga@example.com, and vera@example.com is a viewer. */
export const commands: Readonly<Record<string, Commanded>> = {
  start: { needs: folder, asked: ['start'], refuses: [['start'], noProxy], settings: outside },
  serve: { needs: folder, asked: ['serve'], refuses: [['serve'], noProxy], settings: outside },
  service: { needs: folder, asked: ['service'], refuses: [['service', '--chaos', 'nothing=1'], 'nothing'] },
  'service-token': {
    needs: folder,
    asked: ['service-token', '--agent', 'a@x.test'],
    refuses: [['service-token', '--agent', 'nobody@x.test'], 'embedded account'],
  },
  'service-client': {
    needs: folder,
    asked: ['service-client', 'add', '--name', 'App', '--redirect', 'https://app.test/callback'],
    refuses: [['service-client', 'add', '--name', 'App', '--redirect', 'http://app.test/callback'], 'must be of https'],
  },
  pull: { needs: folder, asked: ['pull'], refuses: [['pull', '--account', 'other'], 'other'] },
  rebuild: { needs: folder, asked: ['rebuild'], refuses: [['rebuild'], 'holds no answers'] },
  snapshot: {
    needs: folder,
    asked: ['snapshot'],
    refuses: [['snapshot', '--as-of', 'yesterday', '--out', 'x'], 'yesterday'],
  },
  move: { needs: folder, asked: ['move'], refuses: [['move', '--to', 'http://127.0.0.1'], 'no address of a database'] },
  leases: { needs: folder, asked: ['leases'], refuses: [['leases'], 'CHATLEDGER_WAREHOUSE'] },
  erase: { needs: folder, asked: ['erase', '--visitor', 'v1'], refuses: [['erase'], '--visitor'] },
  retain: { needs: folder, asked: ['retain'], refuses: [['retain'], 'CHATLEDGER_KEEP_TEXTS'] },
  redact: { needs: folder, asked: ['redact'], refuses: [['redact', '--dry', '--rules', 'all'], 'all'] },
  access: {
    needs: folder,
    asked: ['access', '--visitor', 'v1', '--out', 'x'],
    refuses: [['access', '--out', 'x'], '--visitor'],
  },
  backup: { needs: folder, asked: ['backup', 'backups'], refuses: [['backup', 'data/backups'], 'one in the other'] },
  restore: { needs: folder, asked: ['restore', 'backups'], refuses: [['restore', '.'], 'no folder of backups'] },
  reconcile: { needs: folder, asked: ['reconcile'], refuses: [['reconcile', '--account', 'other'], 'other'] },
  'compare-sources': { needs: folder, asked: ['compare-sources'], refuses: [['compare-sources'], 'published'] },
  metrics: { needs: 'nothing', asked: ['metrics'], refuses: [['metrics', '--all'], '--all'] },
  digest: { needs: folder, asked: ['digest', 'list'], refuses: [['digest', 'run', 'nothing'], 'nothing'] },
  sql: { needs: folder, asked: ['sql', 'select 1'], refuses: [['sql', 'create table mine (n integer)'], 'published'] },
  export: { needs: folder, asked: ['export', 'files'], refuses: [['export', 'data/files'], 'one in the other'] },
  mcp: {
    needs: 'a running product',
    asked: ['mcp'],
    refuses: [['mcp', '--url', 'ftp://127.0.0.1'], 'ftp://127.0.0.1'],
  },
  user: { needs: folder, asked: ['user', 'list'], refuses: [['user', 'remove', 'olga@example.com'], 'admin'] },
  token: {
    needs: folder,
    asked: ['token', 'list'],
    refuses: [['token', 'add', 'all', '--user', 'vera@example.com', '--rights', 'people:write'], 'people:write'],
  },
  share: { needs: folder, asked: ['share', 'list'], refuses: [['share', 'revoke', 'nothing'], 'nothing'] },
  audit: { needs: folder, asked: ['audit', 'list'], refuses: [['audit', 'remove'], 'remove'] },
  doctor: { needs: folder, asked: ['doctor'], refuses: [['doctor', 'passwords'], 'passwords'] },
  upgrade: { needs: folder, asked: ['upgrade', '--check'], refuses: [['upgrade'], '--check'] },
};
