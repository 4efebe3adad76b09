// Commands about people in chats: what is kept of them, and what goes.
import type { Command } from 'commander';

export function privacyCommands(program: Command): void {
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
      const { erase, eraseAsOrdered } = await import('../commands/erase.ts');
      await (process.send ? eraseAsOrdered() : erase(options));
    });

  program
    .command('retain')
    .description('leaves out texts and names of chats that are older than the settings say; no metric is another by it')
    .option('--dry', 'print what would go, and change nothing')
    .option('--again', 'what has gone before and is in data files that were put back')
    .option('--trust-clock', "also when no source has told that this machine's clock is right")
    .option('--json', 'print as JSON')
    .action(async (options) => (await import('../commands/retain.ts')).retain(options));

  program
    .command('redact')
    .description('what becomes dots in texts when chats are decoded, and how many chats were decoded under other rules')
    .option('--dry', 'print what rules find in the raw archive, and change nothing')
    .option('--rules <names>', 'with --dry: other rules than the settings say, of cards, emails, ibans')
    .option('--file <file>', 'with --dry: other patterns than the settings say')
    .option('--account <id>', 'with --dry: one account of several; all by default')
    .option('--limit <chats>', 'with --dry: the newest so many chats of an account; all by default')
    .option('--json', 'print as JSON')
    .action(async (options) => (await import('../commands/redact.ts')).redact(options));

  program
    .command('access')
    .description('writes what is kept of a visitor as JSON and as a page to read, for that person')
    .option('--visitor <id>', 'the visitor, as facts.chats.visitor_id names one')
    .option('--email <address>', 'every visitor with this address')
    .option('--account <id>', 'one account of several; all by default')
    .requiredOption('--out <folder>', 'where to write access.json and access.html')
    .action(async (options) => (await import('../commands/access.ts')).access(options));
}
