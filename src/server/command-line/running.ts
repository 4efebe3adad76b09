// Commands that run the product, pull, and keep what was pulled.
import type { Command } from 'commander';

export function runningCommands(program: Command): void {
  program
    .command('start')
    .description(
      'builds what is missing, starts the embedded service unless an account is configured, pulls and serves',
    )
    .action(async () => (await import('../commands/start.ts')).start());

  program
    .command('service')
    .description('the embedded live-chat service alone, with its simulated account')
    .option('--chaos <plan>', 'misbehave on demand: a JSON file, a line like seed=7,reset=0.05,500=0.1, or help')
    .option('--legacy <day>', 'responses of v2.0 and v3.3 carry the header Legacy with this date (YYYY-MM-DD)')
    .option('--deprecation <day>', 'the archive of v2.0 carries the header Deprecation with this date')
    .action(async (options) => (await import('../commands/service.ts')).service(options));

  program
    .command('serve')
    .description('dashboards and API alone, from the published snapshot')
    .action(async () => (await import('../commands/serve.ts')).serve());

  program
    .command('pull')
    .description('one pull from the account into the warehouse, then a new snapshot')
    .option('--since <day>', 'first local day (YYYY-MM-DD)')
    .option('--until <day>', 'last local day (YYYY-MM-DD)')
    .option('--only <names>', 'reports to pull, comma-separated; `archive` for the chats')
    .option('--account <id>', 'one account of several; all by default')
    .option('--dry', 'print the plan and what it costs in requests, and pull nothing')
    .option('--json', 'print the outcome as JSON')
    .action(async (options) => (await import('../commands/pull.ts')).pullOnce(options));

  program
    .command('rebuild')
    .description('all facts and report tables again from the raw archive, without a request; then a new snapshot')
    .option('--json', 'print the outcome as JSON')
    .action(async (options) => (await import('../commands/rebuild.ts')).rebuild(options));

  program
    .command('move')
    .description('every kept snapshot into a database for readers, and there every metric compared with its file')
    .option('--to <address>', 'an address as CHATLEDGER_WAREHOUSE takes it, which is the default')
    .option('--json', 'print what was compared as JSON')
    .action(async (options: { to?: string; json?: boolean }) => (await import('../commands/move.ts')).move(options));

  program
    .command('leases')
    .description('which data folder publishes which account to the database, and until when')
    .option('--remove <folder>', 'instead: removes what a data folder left there that has no account any more')
    .option('--json', 'print as JSON')
    .action(async (options: { remove?: string; json?: boolean }) =>
      (await import('../commands/leases.ts')).leases(options),
    );

  program
    .command('snapshot')
    .description('publishes what the warehouse holds now, or writes what was known at an instant to a file')
    .option('--as-of <instant>', 'the newest snapshot that was published until then, such as 2026-11-01T08:00:00Z')
    .option('--out <file>', 'with --as-of: the file to write, which needs nothing beside it')
    .option('--json', 'print the snapshot as JSON')
    .action(async ({ asOf, ...options }) =>
      (await import('../commands/snapshot.ts')).snapshot({ as_of: asOf, ...options }),
    );

  program
    .command('backup')
    .argument(
      '[place]',
      'a folder of backups, or a file NAME.tar, outside of the data folder; by default CHATLEDGER_BACKUP',
    )
    .description('backs up the data folder while the product runs, and verifies what it wrote')
    .option('--keep <count>', 'how many backups stay in a folder; by default CHATLEDGER_BACKUP_KEEP')
    .option('--wait <minutes>', 'how long to wait for a pull to rest, or another writer to end; by default 60')
    .option('--list', 'instead: the backups that are there')
    .option('--verify', 'instead: reads all that the backups are made of')
    .option('--json', 'print as JSON')
    .action(async (place, options) => (await import('../commands/backup.ts')).backup(place, options));

  program
    .command('restore')
    .argument('[place]', 'a folder of backups, or a file of one; by default CHATLEDGER_BACKUP')
    .description('restores a backup into the data folder')
    .option('--backup <id>', 'which one, as `backup --list` names it; by default the newest')
    .option('--replace', 'set aside what is in the data folder, also when that is damaged')
    .option('--json', 'print as JSON')
    .action(async (place, options) => (await import('../commands/restore.ts')).restore(place, options));
}
