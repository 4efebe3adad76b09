// The command line: each command is a file in commands/, loaded on demand.
import { Command } from 'commander';
import { Cancelled } from '#warehouse/cancellation.ts';
import { endNow, leave, report } from '../shutdown.ts';
import { exitCodes } from '../errors.ts';
import { beginAs, processOf } from '../command-process.ts';
import { complain, keepFromLog, out, secretsOfLog, takeConsole, takeLog, writeRecord } from '../terminal.ts';
import { embeddedServiceCommands } from './embedded-service.ts';
import { figuresCommands } from './figures.ts';
import { installationCommands } from './installation.ts';
import { privacyCommands } from './privacy.ts';
import { rightsCommands } from './rights.ts';
import { runningCommands } from './running.ts';

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
  const { logSettings } = await import('../config.ts');
  const { isJson, secrets } = logSettings();
  if (!isJson) return;
  const { createJsonLog } = await import('../json-log.ts');
  keepFromLog(secrets);
  takeLog(createJsonLog(writeRecord, command.name(), secretsOfLog));
});

/** Commands about what this data folder pulled, and nothing is where it reads what others publish. */
const ofPulled = [
  ...['start', 'pull', 'rebuild', 'snapshot', 'move', 'erase', 'retain', 'redact', 'access'],
  ...['reconcile', 'compare-sources', 'sql', 'export'],
];

program.hook('preAction', async (_, command) => {
  if (ofPulled.includes(command.name())) (await import('./pulls-here.ts')).assertPullsHere(command.name());
});

/** Commands that go on for ever or are made by a schedule. */
const tracedCommands = ['start', 'serve', 'pull', 'digest'];
let endTracing: (() => Promise<void>) | undefined;

program.hook('preAction', async (_, command) => {
  const { isTraced } = await import('../config.ts');
  if (!tracedCommands.includes(command.name()) || !isTraced()) return;
  endTracing = (await import('../tracing/tracing.ts')).startTracing(command.name());
});

// In the order of `--help`.
runningCommands(program);
privacyCommands(program);
figuresCommands(program);
rightsCommands(program);
embeddedServiceCommands(program);
installationCommands(program);

try {
  await program.parseAsync();
} catch (error) {
  report(error);
}
await endTracing?.();
await leave();
