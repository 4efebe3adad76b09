// `chatledger redact`: the redaction rules and chats decoded under others; with --dry, what rules match in the raw archive.
import { existsSync } from 'node:fs';
import { accountsHeld } from '#warehouse/raw/responses.ts';
import { openRawArchive } from '#warehouse/store/open.ts';
import { fingerprintOf, type Rules } from '#etl/redact/rules.ts';
import { chosenSources, sourcesOf } from '../accounts.ts';
import { withAuth } from '../auth.ts';
import { clock } from '../clock.ts';
import { readConfig, type Config } from '../config.ts';
import { endOnSignal } from '../shutdown.ts';
import { erasedIn } from '../erased/erased-in.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { rulesOf, wrongRuleNames } from '../redaction-settings.ts';
import { redactionStatus, sentenceOf, wordsOf } from '../redact/status.ts';
import { tryRules, type Trial } from '../redact/trial.ts';
import { out, outJson, showProgress } from '../terminal.ts';

interface RedactOptions {
  dry?: boolean;
  rules?: string;
  file?: string;
  account?: string;
  limit?: string;
  json?: boolean;
}

export async function redact({ dry, json = false, ...options }: RedactOptions): Promise<void> {
  const given = Object.keys(options).map((name) => `--${name}`);
  if (!dry && given.length > 0) throw new Stopped(`${given.join(', ')} can be said with --dry only`);
  const config = readConfig();
  const folder = openFolder(config.folder);
  try {
    if (dry) await tryOut(config, folder, options, json);
    else await tell(config, folder, json);
  } catch (error) {
    throw stoppedByFile(error, folder.path) ?? error;
  }
}

async function tell({ redaction }: Config, folder: Folder, json: boolean): Promise<void> {
  const status = await redactionStatus(folder, redaction);
  const { known, patterns } = redaction;
  if (json) return outJson({ rules: known, patterns: patterns.map(({ name }) => name), ...status });
  out(`redacted when chats are decoded: ${wordsOf(redaction)}`, sentenceOf(status));
}

async function tryOut(
  config: Config,
  folder: Folder,
  options: Pick<RedactOptions, 'rules' | 'file' | 'account' | 'limit'>,
  json: boolean,
): Promise<void> {
  const rules = rulesGiven(options, config.redaction);
  const limit = limitOf(options.limit);
  if (options.account !== undefined) chosenSources(sourcesOf(config, folder, clock()), options.account);
  if (!existsSync(folder.raw))
    throw new Stopped(`${folder.raw} does not exist: run 'npx chatledger start' or 'npx chatledger pull' first`);
  endOnSignal();
  const archive = await openRawArchive(folder.raw, { readOnly: true });
  let trial: Trial;
  try {
    const held = await accountsHeld(archive);
    const accounts = held.filter((account) => options.account === undefined || account === options.account);
    const onProgress = (account: string, day: string, chats: number): void =>
      showProgress(`redact: ${account} ${day}, ${chats} chats read`, false);
    trial = await tryRules({ archive, erased: erasedIn(folder), accounts, rules, limit, onProgress });
  } finally {
    await archive.close();
  }
  await withAuth(({ audit }) =>
    audit.record({ action: 'redaction.tried', about: `${wordsOf(rules)} on ${trial.chats} chats` }),
  );
  if (json) outJson(trial);
  else print(trial);
}

/** Other rules than those of the settings are tried alone. */
function rulesGiven({ rules, file }: RedactOptions, present: Rules): Rules {
  const wrong = rules === undefined ? undefined : wrongRuleNames(rules);
  if (wrong !== undefined) throw new Stopped(`--rules ${rules} ${wrong}`);
  const chosen = rules === undefined && file === undefined ? present : rulesOf(rules ?? null, file ?? null);
  if ('wrong' in chosen) throw new Stopped(`--file ${chosen.wrong}`);
  if (fingerprintOf(chosen) === null)
    throw new Stopped(
      'there are no rules to try: say --rules cards,emails,ibans or --file FILE, or set CHATLEDGER_REDACT',
    );
  return chosen;
}

function limitOf(limit: string | undefined): number | undefined {
  if (limit === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(limit)) throw new Stopped(`--limit ${limit} is not a number of chats from 1 to 999999999`);
  return Number(limit);
}

function print({ chats, rules }: Trial): void {
  out(`${chats} chats were read in the raw archive, each as the source said it last; nothing was changed`);
  for (const { rule, chats: of, places, examples } of rules) {
    out(`${rule}: ${places} places in ${of} chats`);
    for (const { account, chat, text } of examples) out(`  ${account} ${chat}: ${text}`);
  }
}
