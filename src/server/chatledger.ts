#!/usr/bin/env node
// The command line: each command is a file of commands/, loaded when it is asked for.
import { Command } from 'commander';
import { exitCodes, Stopped, stoppedByFile } from './errors.ts';

const program = new Command('chatledger')
  .description('Live-chat analytics in which every figure can be traced to the chat lines behind it')
  .showHelpAfterError("(run 'npx chatledger --help' for the commands)")
  .exitOverride((error) => process.exit(error.exitCode === 0 ? exitCodes.done : exitCodes.misused));

program
  .command('start')
  .description('builds what is missing, starts the embedded service unless an account is configured, pulls and serves')
  .action(async () => (await import('./commands/start.ts')).start());

program
  .command('service')
  .description('the embedded live-chat service alone, with its simulated account')
  .action(async () => (await import('./commands/service.ts')).service());

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
  .command('reconcile')
  .description('every cell of every metric that reports and archive both give; exit code 1 when one is unexplained')
  .option('--since <day>', 'first local day (YYYY-MM-DD)')
  .option('--until <day>', 'last local day (YYYY-MM-DD)')
  .option('--account <id>', 'one account of several; all by default')
  .option('--json', 'print counts and unexplained cells as JSON')
  .action(async (options) => (await import('./commands/reconcile.ts')).reconcile(options));

program
  .command('metrics')
  .description('the catalogue: every metric with its measures, units, splits and definition')
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/metrics.ts')).metrics(options));

program
  .command('sql')
  .description('one statement against the published snapshot, read-only')
  .argument('<statement>', 'for example "select * from metrics.total_chats"')
  .option('--json', 'print rows as JSON')
  .option('--limit <rows>', 'rows to print at most', '1000')
  .action(async (statement, options) => (await import('./commands/sql.ts')).sql(statement, options));

program
  .command('service-token')
  .description('a Bearer token of the embedded service, alone on the last line')
  .requiredOption('--agent <login>', 'the agent who owns the token')
  .option('--scope <scopes>', 'comma-separated scopes, or all', 'all')
  .action(async (options) => (await import('./commands/service-token.ts')).serviceToken(options));

program
  .command('doctor')
  .description(
    'each setting, where it comes from and what is wrong with it; then the data folder, the account and the port',
  )
  .option('--json', 'print as JSON')
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options));

try {
  await program.parseAsync();
} catch (error) {
  const stopped = error instanceof Stopped ? error : stoppedByFile(error);
  if (!stopped) throw error;
  process.stderr.write(`chatledger: ${stopped.message}\n`);
  process.exitCode = stopped.code;
}
