// Commands about what this data folder pulled: nothing is, where it reads what others publish.
import { readEnvironment } from '../config.ts';
import { Stopped } from '../errors.ts';

/** What else is wrong with the settings is said when the command reads them. @throws Stopped */
export function assertPullsHere(command: string): void {
  const { readings } = readEnvironment();
  if (!readings.some(({ name, value }) => name === 'CHATLEDGER_WAREHOUSE_ACCOUNTS' && value === 'all')) return;
  throw new Stopped(
    `'${command}' is for a data folder that pulls its accounts; with CHATLEDGER_WAREHOUSE_ACCOUNTS=all this one shows those that others publish: ` +
      "run it there, and 'npx chatledger serve' here",
  );
}
