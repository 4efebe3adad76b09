// Commands about who may do and see what, and who did.
import type { Command } from 'commander';

export function rightsCommands(program: Command): void {
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
    .action(async (action, email, options) => (await import('../commands/user.ts')).user(action, email, options));

  program
    .command('token')
    .description('tokens for programs: `add NAME --user EMAIL`, `list`, `revoke ID`')
    .argument('<action>', 'add, list or revoke')
    .argument('[name]', 'of a new token, or the id of the one to revoke')
    .option('--user <email>', 'whose it is: it may do and see at most what this user may')
    .option('--rights <rights>', 'with commas between them; by default all of the user')
    .option('--days <days>', 'how long it is good for', '90')
    .option('--json', 'print as JSON')
    .action(async (action, name, options) => (await import('../commands/token.ts')).token(action, name, options));

  program
    .command('share')
    .description('links that open a page without signing in: `list`, `revoke ID`')
    .argument('<action>', 'list or revoke')
    .argument('[id]', 'of the one to revoke')
    .option('--json', 'print as JSON')
    .action(async (action, id, options) => (await import('../commands/share.ts')).share(action, id, options));

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
    .action(async (action, options) => (await import('../commands/audit.ts')).audit(action, options));
}
