#!/usr/bin/env node
// The command line: each command is a file in commands/, loaded on demand.
import './without-proto.ts';
import './compile-cache.ts';
import { Command } from 'commander';
import { Cancelled } from '#warehouse/cancellation.ts';
import { endNow, leave, report } from './shutdown.ts';
import { exitCodes } from './errors.ts';
import { beginAs, processOf } from './command-process.ts';
import { complain, keepFromLog, out, secretsOfLog, takeConsole, takeLog, writeRecord } from './terminal.ts';

// New files are private to this user: chats, keys, secrets.
process.umask(0o077);
takeConsole();
process.on('uncaughtException', (error) => {
  report(error);
  endNow(exitCodes.failed);
});

// A stray rejection of one question must not end the program for everybody; cancelled work is not even reported.
process.on('unhandledRejection', (reason) => {
  if (!(reason instanceof Cancelled)) report(reason);
});

const linesIn = (text: string): string[] => text.replace(/\n$/, '').split('\n');

const program = new Command('chatledger')
  .configureOutput({ writeOut: (text) => out(...linesIn(text)), writeErr: (text) => complain(...linesIn(text)) })
  .description('Live-chat analytics in which every figure can be traced to the chat lines behind it')
  .showHelpAfterError("(run 'npx chatledger --help' for the commands)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.misused));

// First: what is loaded before a restart is loaded twice.
program.hook('preAction', (_, command) => {
  const own = processOf(command.name());
  if (own) beginAs(own);
});

program.hook('preAction', async (_, command) => {
  const { logSettings } = await import('./config.ts');
  const { isJson, secrets } = logSettings();
  if (!isJson) return;
  const { createJsonLog } = await import('./json-log.ts');
  keepFromLog(secrets);
  takeLog(createJsonLog(writeRecord, command.name(), secretsOfLog));
});

/** Commands that go on for ever or are made by a schedule. */
const tracedCommands = ['start', 'serve', 'pull', 'digest'];
let endTracing: (() => Promise<void>) | undefined;

program.hook('preAction', async (_, command) => {
  const { isTraced } = await import('./config.ts');
  if (!tracedCommands.includes(command.name()) || !isTraced()) return;
  endTracing = (await import('./tracing/tracing.ts')).startTracing(command.name());
});

program
  .command('start')
  .description('builds what is missing, starts the embedded service unless an account is configured, pulls and serves')
  .action(async () => (await import('./commands/start.ts')).start());

program
  .command('service')
  .description('the embedded live-chat service alone, with its simulated account')
  .option('--chaos <plan>', 'misbehave on demand: a JSON file, a line like seed=7,reset=0.05,500=0.1, or help')
  .option('--legacy <day>', 'responses of v2.0 carry the header Legacy with this date (YYYY-MM-DD)')
  .option('--deprecation <day>', 'the archive of v2.0 carries the header Deprecation with this date')
  .action(async (options) => (await import('./commands/service.ts')).service(options));

program
  .command('serve')
  .description('dashboards and API alone, from the published snapshot')
  .action(async () => (await import('./commands/serve.ts')).serve());

program
  .command('pull')
  .description('one pull from the account into the warehouse, then a new snapshot')
  .option('--since <day>', 'first local day (YYYY-MM-DD)')
  .option('--until <day>', 'last local day (YYYY-MM-DD)')
  .option('--only <names>', 'reports to pull, comma-separated; `archive` for the chats')
  .option('--account <id>', 'one account of several; all by default')
  .option('--dry', 'print the plan and what it costs in requests, and pull nothing')
  .option('--json', 'print the outcome as JSON')
  .action(async (options) => (await import('./commands/pull.ts')).pullOnce(options));

program
  .command('rebuild')
  .description('all facts and report tables again from the raw archive, without a request; then a new snapshot')
  .option('--json', 'print the outcome as JSON')
  .action(async (options) => (await import('./commands/rebuild.ts')).rebuild(options));

program
  .command('move')
  .description('every kept snapshot into a database for readers, and there every metric compared with its file')
  .option('--to <address>', 'an address as CHATLEDGER_WAREHOUSE takes it, which is the default')
  .option('--json', 'print what was compared as JSON')
  .action(async (options: { to?: string; json?: boolean }) => (await import('./commands/move.ts')).move(options));

program
  .command('snapshot')
  .description('publishes what the warehouse holds now, or writes what was known at an instant to a file')
  .option('--as-of <instant>', 'the newest snapshot that was published until then, such as 2026-11-01T08:00:00Z')
  .option('--out <file>', 'with --as-of: the file to write, which needs nothing beside it')
  .option('--json', 'print the snapshot as JSON')
  .action(async ({ asOf, ...options }) =>
    (await import('./commands/snapshot.ts')).snapshot({ as_of: asOf, ...options }),
  );

program
  .command('backup')
  .argument(
    '[place]',
    'a folder of backups, or a file NAME.tar, outside of the data folder; by default CHATLEDGER_BACKUP',
  )
  .description('backs up the data folder while the product runs, and verifies what it wrote')
  .option('--keep <count>', 'how many backups stay in a folder; by default CHATLEDGER_BACKUP_KEEP')
  .option('--wait <minutes>', 'how long to wait for a pull to end; by default 60')
  .option('--list', 'instead: the backups that are there')
  .option('--verify', 'instead: reads all that the backups are made of')
  .option('--json', 'print as JSON')
  .action(async (place, options) => (await import('./commands/backup.ts')).backup(place, options));

program
  .command('restore')
  .argument('[place]', 'a folder of backups, or a file of one; by default CHATLEDGER_BACKUP')
  .description('restores a backup into the data folder')
  .option('--backup <id>', 'which one, as `backup --list` names it; by default the newest')
  .option('--replace', 'set aside what is in the data folder, also when that is damaged')
  .option('--json', 'print as JSON')
  .action(async (place, options) => (await import('./commands/restore.ts')).restore(place, options));

program
  .command('erase')
  .description('erases a visitor from everything that is kept, and proves that no metric is another by it')
  .option('--visitor <id>', 'the visitor, as facts.chats.visitor_id names one')
  .option('--email <address>', 'every visitor with this address')
  .option('--account <id>', 'one account of several; all by default')
  .option('--again', 'instead: everybody who was erased and is in data files that were put back')
  .option('--dry', 'print what would be erased, and change nothing')
  .option('--json', 'print as JSON')
  .action(async (options) => {
    const { erase, eraseAsOrdered } = await import('./commands/erase.ts');
    await (process.send ? eraseAsOrdered() : erase(options));
  });

program
  .command('retain')
  .description('leaves out texts and names of chats that are older than the settings say; no metric is another by it')
  .option('--dry', 'print what would go, and change nothing')
  .option('--again', 'what has gone before and is in data files that were put back')
  .option('--trust-clock', "also when no source has told that this machine's clock is right")
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/retain.ts')).retain(options));

program
  .command('redact')
  .description('what becomes dots in texts when chats are decoded, and how many chats were decoded under other rules')
  .option('--dry', 'print what rules find in the raw archive, and change nothing')
  .option('--rules <names>', 'with --dry: other rules than the settings say, of cards, emails, ibans')
  .option('--file <file>', 'with --dry: other patterns than the settings say')
  .option('--account <id>', 'with --dry: one account of several; all by default')
  .option('--limit <chats>', 'with --dry: the newest so many chats of an account; all by default')
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/redact.ts')).redact(options));

program
  .command('access')
  .description('writes what is kept of a visitor as JSON and as a page to read, for that person')
  .option('--visitor <id>', 'the visitor, as facts.chats.visitor_id names one')
  .option('--email <address>', 'every visitor with this address')
  .option('--account <id>', 'one account of several; all by default')
  .requiredOption('--out <folder>', 'where to write access.json and access.html')
  .action(async (options) => (await import('./commands/access.ts')).access(options));

program
  .command('reconcile')
  .description('every cell of every metric that reports and archive both give; exit code 1 when one is unexplained')
  .option('--since <day>', 'first local day (YYYY-MM-DD)')
  .option('--until <day>', 'last local day (YYYY-MM-DD)')
  .option('--account <id>', 'one account of several; all by default')
  .option('--json', 'print counts and unexplained cells as JSON')
  .action(async (options) => (await import('./commands/reconcile.ts')).reconcile(options));

program
  .command('compare-sources')
  .description('what rest_v2 and agent_v3 say differently of the same chats; exit code 1 when they do')
  .option('--since <day>', 'first local day (YYYY-MM-DD)')
  .option('--until <day>', 'last local day (YYYY-MM-DD)')
  .option('--json', 'print days and differences as JSON')
  .action(async (options) => (await import('./commands/compare-sources.ts')).compareSources(options));

program
  .command('metrics')
  .description('every metric with its measures, units, splits and definition')
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/metrics.ts')).metrics(options));

program
  .command('digest')
  .description('digests: `run NAME` makes one now, `list`, `history NAME`, `again NAME` sends what failed once more')
  .argument('<action>', 'run, list, history or again')
  .argument('[name]', 'of the digest, such as monday-morning')
  .option('--for <period>', 'such as 2026-W46, 2026-10, 2026-Q3, 2026-11-20 or last_week; by default its own')
  .option('--format <formats>', 'comma-separated: pdf, csv, xlsx; by default its own')
  .option('--out <folder>', 'where to write the files; by default the data folder')
  .option('--reader <name>', 'for one of its readers only')
  .option('--send', 'hand it over to its channels too; what went out already does not go out again')
  .option('--json', 'print as JSON')
  .action(async (action, name, options) => (await import('./commands/digest.ts')).digest(action, name, options));

program
  .command('sql')
  .description('one statement against the published snapshot, read-only')
  .argument('<statement>', 'for example "select * from metrics.total_chats"')
  .option('--json', 'print rows as JSON')
  .option('--limit <rows>', 'rows to print at most', '1000')
  .option('--parameter <name=value...>', 'values of $name in the statement, such as from=2026-11-01')
  .action(async (statement, options) => (await import('./commands/sql.ts')).sql(statement, options));

program
  .command('export')
  .argument('<place>', 'where the files go: a folder outside of the data folder, or s3://BUCKET/PREFIX')
  .description('the published snapshot as Parquet files by table, account and month; unchanged ones are left')
  .option('--tables <names>', 'only these, comma-separated, such as facts.chats,metrics.chat_ratings')
  .option('--json', 'print what was written as JSON')
  .action(async (folder, options) => (await import('./commands/export.ts')).exportFiles(folder, options));

program
  .command('mcp')
  .description('tools for an assistant over standard input and output, which ask a running product')
  .option('--url <address>', 'where it runs; by default on this machine at CHATLEDGER_PORT')
  .action(async (options) => (await import('./commands/mcp.ts')).mcp(options));

program
  .command('user')
  .description(
    'who may sign in: `add`, `role`, `groups`, `password`, `link`, `second-factor` and `remove` with an EMAIL, or `list`',
  )
  .argument('<action>', 'add, list, role, groups, password, link, second-factor or remove')
  .argument('[email]', 'of the user')
  .option('--name <name>', 'of the user; by default the e-mail address')
  .option('--role <role>', 'agent, viewer, manager, analyst or admin')
  .option('--groups <ids>', 'group ids with commas between them, or all')
  .option('--accounts <ids>', 'account ids with commas between them, or all')
  .option('--agent <login>', 'for the role agent: whose chats')
  .option('--subject <id>', 'for link: who the user is at the identity provider')
  .option('--off', 'for second-factor: turns it off')
  .option('--give <rights>', 'rights besides those of the role, with commas between them')
  .option('--json', 'print as JSON')
  .action(async (action, email, options) => (await import('./commands/user.ts')).user(action, email, options));

program
  .command('token')
  .description('tokens for programs: `add NAME --user EMAIL`, `list`, `revoke ID`')
  .argument('<action>', 'add, list or revoke')
  .argument('[name]', 'of a new token, or the id of the one to revoke')
  .option('--user <email>', 'whose it is: it may do and see at most what this user may')
  .option('--rights <rights>', 'with commas between them; by default all of the user')
  .option('--days <days>', 'how long it is good for', '90')
  .option('--json', 'print as JSON')
  .action(async (action, name, options) => (await import('./commands/token.ts')).token(action, name, options));

program
  .command('share')
  .description('links that open a page without signing in: `list`, `revoke ID`')
  .argument('<action>', 'list or revoke')
  .argument('[id]', 'of the one to revoke')
  .option('--json', 'print as JSON')
  .action(async (action, id, options) => (await import('./commands/share.ts')).share(action, id, options));

program
  .command('audit')
  .description('who did and who read what: `list`; `verify` shows that no row was changed or removed')
  .argument('<action>', 'list or verify')
  .option('--head <hash>', 'for verify: a head that was noted earlier')
  .option('--who <text>', 'for list: part of who acted')
  .option('--action <name>', 'for list: such as chat.read')
  .option('--since <day>', 'for list: first day, of UTC (YYYY-MM-DD)')
  .option('--limit <rows>', 'for list: rows to print at most', '100')
  .option('--json', 'print as JSON')
  .action(async (action, options) => (await import('./commands/audit.ts')).audit(action, options));

program
  .command('service-token')
  .description('a Bearer token of the embedded service, alone on the last line')
  .option('--agent <login>', 'the agent who owns the token')
  .option('--bot <id>', 'the bot that owns the token')
  .option('--customer <id>', 'the customer who owns the token: a UUID, or new')
  .option('--scope <scopes>', 'comma-separated scopes, or all', 'all')
  .option('--region <name>', 'the data center of the token: dal or fra', 'dal')
  .option('--expires <seconds>', 'how long it is good; for ever without it')
  .action(async (options) => (await import('./commands/service-token.ts')).serviceToken(options));

program
  .command('service-client')
  .description('a program that may ask agents of the embedded service for tokens (OAuth)')
  .argument('<action>', 'add')
  .requiredOption('--name <text>', 'what agents read on the page where they agree')
  .requiredOption('--redirect <addresses...>', 'where codes may be sent')
  .option('--scope <scopes>', 'comma-separated scopes that it may ask for, or all', 'all')
  .option('--confidential', 'it runs on a server and can keep a secret')
  .action(async (action, options) => (await import('./commands/service-client.ts')).serviceClient(action, options));

program
  .command('doctor')
  .description(
    'each setting, where it comes from and what is wrong with it; then the data folder, the account and the port',
  )
  .argument('[about]', 'oidc: the identity provider of single sign-on alone')
  .option('--json', 'print as JSON')
  .action(async (about, options) => (await import('./commands/doctor.ts')).doctor(about, options));

program
  .command('upgrade')
  .description('what this version would do to the data folder, and what stands in its way; it changes nothing')
  .option('--check', 'required: the upgrade itself is made by the first start')
  .option('--rehearse <folder>', 'also migrate a copy in this folder, measure how long that takes, and remove it')
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/upgrade.ts')).upgrade(options));

try {
  await program.parseAsync();
} catch (error) {
  report(error);
}
await endTracing?.();
await leave();
