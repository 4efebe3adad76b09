// Commands about tokens of the embedded service.
import type { Command } from 'commander';

export function embeddedServiceCommands(program: Command): void {
  program
    .command('service-token')
    .description('a token of the embedded service, alone on the last line')
    .option('--agent <login>', 'the agent who owns the token')
    .option('--bot <id>', 'the bot that owns the token')
    .option('--customer <id>', 'the customer who owns the token: a UUID, or new')
    .option(
      '--personal',
      'a personal access token: the password of the agent in Basic authentication, good for everything',
    )
    .option('--scope <scopes>', 'comma-separated scopes, or all (without it all)')
    .option('--region <name>', 'the data center of the token: dal (without it) or fra')
    .option('--expires <seconds>', 'how long it is good; for ever without it')
    .action(async (options) => (await import('../commands/service-token.ts')).serviceToken(options));

  program
    .command('service-client')
    .description('a program that may ask agents of the embedded service for tokens (OAuth)')
    .argument('<action>', 'add')
    .requiredOption('--name <text>', 'what agents read on the page where they agree')
    .requiredOption('--redirect <addresses...>', 'where codes may be sent')
    .option('--scope <scopes>', 'comma-separated scopes that it may ask for, or all', 'all')
    .option('--confidential', 'it runs on a server and can keep a secret')
    .action(async (action, options) => (await import('../commands/service-client.ts')).serviceClient(action, options));
}
