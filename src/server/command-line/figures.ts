// Commands that answer with figures, or hand them over.
import type { Command } from 'commander';

export function figuresCommands(program: Command): void {
  program
    .command('reconcile')
    .description(
      'every cell of every metric that reports and archive both give; exit code 1 when one is unexplained or none was compared',
    )
    .option('--since <day>', 'first local day (YYYY-MM-DD)')
    .option('--until <day>', 'last local day (YYYY-MM-DD)')
    .option('--account <id>', 'one account of several; all by default')
    .option('--json', 'print counts and unexplained cells as JSON')
    .action(async (options) => (await import('../commands/reconcile.ts')).reconcile(options));

  program
    .command('compare-sources')
    .description('what rest_v2 and agent_v3 say differently of the same chats; exit code 1 when they do')
    .option('--since <day>', 'first local day (YYYY-MM-DD)')
    .option('--until <day>', 'last local day (YYYY-MM-DD)')
    .option('--json', 'print days and differences as JSON')
    .action(async (options) => (await import('../commands/compare-sources.ts')).compareSources(options));

  program
    .command('metrics')
    .description('every metric with its measures, units, splits and definition')
    .option('--json', 'print as JSON')
    .action(async (options) => (await import('../commands/metrics.ts')).metrics(options));

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
    .action(async (action, name, options) => (await import('../commands/digest.ts')).digest(action, name, options));

  program
    .command('sql')
    .description('one statement against the published snapshot, read-only')
    .argument('<statement>', 'for example "select * from metrics.total_chats"')
    .option('--json', 'print rows as JSON')
    .option('--limit <rows>', 'rows to print at most', '1000')
    .option('--parameter <name=value...>', 'values of $name in the statement, such as from=2026-11-01')
    .action(async (statement, options) => (await import('../commands/sql.ts')).sql(statement, options));

  program
    .command('export')
    .argument('<place>', 'where the files go: a folder outside of the data folder, or s3://BUCKET/PREFIX')
    .description('the published snapshot as Parquet files by table, account and month; unchanged ones are left')
    .option('--tables <names>', 'only these, comma-separated, such as facts.chats,metrics.chat_ratings')
    .option('--json', 'print what was written as JSON')
    .action(async (folder, options) => (await import('../commands/export.ts')).exportFiles(folder, options));

  program
    .command('mcp')
    .description('tools for an assistant over standard input and output, which ask a running product')
    .option('--url <address>', 'where it runs; by default on this machine at CHATLEDGER_PORT')
    .action(async (options) => (await import('../commands/mcp.ts')).mcp(options));
}
