// Commands that look at an installation and change nothing.
import type { Command } from 'commander';

export function installationCommands(program: Command): void {
  program
    .command('doctor')
    .description(
      'each setting, where it comes from and what is wrong with it; then the data folder, the account and the port',
    )
    .argument('[about]', 'oidc: the identity provider of single sign-on alone')
    .option('--json', 'print as JSON')
    .action(async (about, options) => (await import('../commands/doctor.ts')).doctor(about, options));

  program
    .command('upgrade')
    .description('what this version would do to the data folder, and what stands in its way; it changes nothing')
    .option('--check', 'required: the upgrade itself is made by the first start')
    .option('--rehearse <folder>', 'also migrate a copy in this folder, measure how long that takes, and remove it')
    .option('--json', 'print as JSON')
    .action(async (options) => (await import('../commands/upgrade.ts')).upgrade(options));
}
