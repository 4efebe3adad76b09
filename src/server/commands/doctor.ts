// `chatledger doctor`: checks each setting and its source, then the folder, the warehouse, the account and the port.
import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { openWarehouse } from '#warehouse/store/open.ts';
import { BusyWarehouse } from '#warehouse/errors.ts';
import { pins } from '#warehouse/store/pins.ts';
import { damageOfRedated } from '#warehouse/store/redated.ts';
import { lostSnapshots } from '#warehouse/store/snapshot-store.ts';
import { sourcesOf } from '../accounts.ts';
import { backupStatus, isBackupLate } from '../backup/status.ts';
import { redactionStatus, sentenceOf, wordsOf } from '../redact/status.ts';
import { lookAtAccounts, lookAtDatabase } from '../database-finding.ts';
import { diskSpace, megabytes } from '../disk-space.ts';
import { diskDaysOf } from '../monitoring/disk-days.ts';
import { forecastOf, forecastSentence } from '../monitoring/disk-forecast.ts';
import type { Finding } from '../doctor-finding.ts';
import { retainedKinds } from '#etl/erased/old.ts';
import { erasureFinding } from '../erase/finding.ts';
import { marksOf } from '../erased/erased-in.ts';
import { dueSentence, keepSentence } from '../retention-status.ts';
import { objectionToClock } from '../source-clock.ts';
import { signOn } from '../sign-on-check.ts';
import { clock } from '../clock.ts';
import { accountFinding } from '../account-finding.ts';
import { clockProblem } from '../clock-finding.ts';
import { complaintsOf } from '../settings-problems.ts';
import { readConfig, readEnvironment, type Config, type Environment } from '../config.ts';
import { shown } from '../secrets.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { openFolder, type Folder } from '../folder.ts';
import { out, outJson } from '../terminal.ts';

export async function doctor(about: string | undefined, { json }: { json?: boolean }): Promise<void> {
  if (about !== undefined && about !== 'oidc')
    throw new Stopped(`doctor ${about}: it looks at everything, or at oidc alone`);
  const environment = readEnvironment();
  if (about === 'oidc') return tell(await lookAtProvider(environment), json);
  const findings = await look(environment);
  const settings = environment.readings.map(({ name, value, source, wrong }) => ({
    name,
    value: shown(name, value),
    source,
    ...(wrong ? { wrong } : {}),
  }));
  if (json) outJson({ settings, findings }, 2);
  else {
    for (const { name, value, source, wrong } of settings)
      out(`${name.padEnd(32)} ${(value ?? '').padEnd(24)} ${source}${wrong ? `  WRONG: ${wrong}` : ''}`);
    out('');
    tell(findings);
  }
  noteIn(findings);
}

function tell(findings: readonly Finding[], json = false): void {
  if (json) outJson({ findings }, 2);
  else for (const { what, is_well, words } of findings) out(`${is_well ? 'ok   ' : 'WRONG'} ${what}: ${words}`);
  noteIn(findings);
}

/** Problems also set the exit code. */
function noteIn(findings: readonly Finding[]): void {
  if (findings.some((finding) => !finding.is_well)) process.exitCode = exitCodes.failed;
}

async function lookAtProvider(environment: Environment): Promise<Finding[]> {
  const complaints = complaintsOf(environment);
  if (complaints.length > 0) return complaints.map((words) => ({ what: 'settings', is_well: false, words }));
  const found = await signOn(readConfig(environment));
  const none = 'no identity provider is configured: set CHATLEDGER_OIDC_ISSUER and CHATLEDGER_OIDC_CLIENT_ID';
  return found.length > 0 ? found : [{ what: 'single sign-on', is_well: false, words: none }];
}

async function look(environment: Environment): Promise<Finding[]> {
  const complaints = complaintsOf(environment);
  if (complaints.length > 0) return complaints.map((words) => ({ what: 'settings', is_well: false, words }));
  const config = readConfig(environment);
  let folder: Folder;
  try {
    folder = openFolder(config.folder);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    return [{ what: 'data folder', is_well: false, words: error.message }];
  }
  const doors = [
    ...(await signOn(config)),
    await port('port', config.host, config.port),
    ...(config.public_port === null ? [] : [await port('port of links', config.host, config.public_port)]),
  ];
  if (config.reads_all && config.database)
    return [
      ...[space(folder), disk(folder), ...privacy(folder), ...secretsFile()],
      ...(await lookAtAccounts(config.database, folder)),
      backups(config, folder),
      ...doors,
    ];
  return [
    space(folder),
    disk(folder),
    ...privacy(folder),
    ...secretsFile(),
    await warehouse(folder),
    ...(await lookAtDatabase(config, folder)),
    ...(await redaction(config, folder)),
    ...retention(config, folder),
    ...(await erasureFinding(folder)),
    ...(await past(folder)),
    ...(await listsOfSnapshots(folder)),
    backups(config, folder),
    await clockFinding(folder),
    ...(await Promise.all(sourcesOf(config, folder, clock()).map((source) => accountFinding(config, source)))),
    ...doors,
  ];
}

function space({ path, warehouse }: Folder): Finding {
  const { free_bytes, needed_bytes } = diskSpace(path, warehouse);
  const what = 'data folder';
  const words = `${path}, ${megabytes(free_bytes)} free`;
  if (free_bytes >= needed_bytes) return { what, is_well: true, words };
  const needed = megabytes(needed_bytes);
  return { what, is_well: false, words: `${words}: a pull and its snapshot may need ${needed}, free some space` };
}

/** When the disk is full; a problem within two weeks. */
function disk(folder: Folder): Finding {
  const what = 'disk';
  try {
    const forecast = forecastOf(diskDaysOf(folder));
    const isNear = forecast.full_on !== null && Date.parse(forecast.full_on) / 1000 < clock() + soon_s;
    const remedy = isNear ? ': free some space, or move the data folder to a larger disk' : '';
    return { what, is_well: !isNear, words: forecastSentence(forecast) + remedy };
  } catch (error) {
    return { what, is_well: false, words: error instanceof Error ? error.message : String(error) };
  }
}

const soon_s = 14 * 86_400;

async function clockFinding({ published }: Folder): Promise<Finding> {
  const what = 'clock';
  try {
    const problem = await clockProblem(published);
    return { what, is_well: problem === null, words: problem ?? 'no time that was noted says that it is wrong' };
  } catch (error) {
    return { what, is_well: false, words: error instanceof Error ? error.message : String(error) };
  }
}

/** Which snapshots are needed, and when those of a clock that ran ahead were published. */
async function listsOfSnapshots({ published }: Folder): Promise<Finding[]> {
  const damages = await Promise.all([
    pins(published).then(
      () => null,
      (error: Error) => error.message,
    ),
    damageOfRedated(published).catch((error: Error) => error.message),
  ]);
  return damages.flatMap((words) => (words === null ? [] : [{ what: 'snapshots', is_well: false, words }]));
}

/** The age of the last good backup. */
function backups({ backup }: Config, folder: Folder): Finding {
  const what = 'backups';
  const status = backupStatus(folder);
  const { last, failed } = status;
  const made = last ? `the last one (${last.id}) was made at ${last.made_at} in ${last.folder}` : 'none was made yet';
  if (failed) return { what, is_well: false, words: `at ${failed.at}: ${failed.sentence}; ${made}` };
  if (backup.folder === null)
    return { what, is_well: true, words: `none are made by themselves, CHATLEDGER_BACKUP is not set; ${made}` };
  return isBackupLate(backup, status, clock())
    ? { what, is_well: false, words: `${made}, and two were due since then: 'npx chatledger start' makes them` }
    : { what, is_well: true, words: made };
}

/** Snapshots that there was no room for. */
async function past({ published }: Folder): Promise<Finding[]> {
  const what = 'the past';
  try {
    const lost = await lostSnapshots(published);
    if (!lost) return [];
    const words =
      `there was no room for ${lost.count} snapshots, published from ${lost.first} to ${lost.last}: what was known then` +
      ' is answered from an earlier one; a larger CHATLEDGER_SNAPSHOT_SPACE keeps more from now on';
    if (lost.pinned.length === 0) return [{ what, is_well: true, words }];
    const more = lost.pinned.length > most_named ? ` and ${lost.pinned.length - most_named} more` : '';
    const pins =
      `. Some of them were still needed: ${lost.pinned.slice(0, most_named).join(', ')}${more}; what was made from them` +
      ' cannot be made again, and its figures cannot be traced';
    return [{ what, is_well: false, words: words + pins }];
  } catch (error) {
    return [{ what, is_well: false, words: error instanceof Error ? error.message : String(error) }];
  }
}

const most_named = 5;

/** Files that others could read until now, and those that they still can. */
function privacy({ path, privacy: { corrected, left } }: Folder): Finding[] {
  const what = 'privacy';
  const more = corrected.length > most_named ? ` and ${corrected.length - most_named} more` : '';
  const named = corrected.slice(0, most_named).map((each) => relative(path, each) || path);
  const found = left.map(({ path: each, reason }) => ({
    ...{ what, is_well: false },
    words: `other users can read ${each}, and that cannot be corrected (${reason}): run 'chmod go=' on it as its owner`,
  }));
  if (corrected.length > 0)
    return [{ what, is_well: true, words: `other users could read ${named.join(', ')}${more}: corrected` }, ...found];
  return found.length > 0 ? found : [{ what, is_well: true, words: `${path} can be read by this user only` }];
}

/** The file belongs to its author, not to the program, so its mode is only reported. */
function secretsFile(): Finding[] {
  const mode = statSync('.env', { throwIfNoEntry: false })?.mode ?? 0;
  if (process.platform === 'win32' || (mode & 0o077) === 0) return [];
  return [
    { what: '.env', is_well: true, words: "can be read by other users: run 'chmod go= .env' if it holds secrets" },
  ];
}

async function warehouse(folder: Folder): Promise<Finding> {
  const what = 'warehouse';
  if (!existsSync(folder.warehouse)) return { what, is_well: true, words: 'not there yet; the first pull makes it' };
  try {
    await (await openWarehouse(folder.warehouse, { readOnly: true })).close();
    return { what, is_well: true, words: `${folder.warehouse} opens` };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    return { what, is_well: error instanceof BusyWarehouse, words };
  }
}

/** Reports if the newest snapshot was decoded under other redaction rules than configured. */
async function redaction({ redaction: rules }: Config, folder: Folder): Promise<Finding[]> {
  const what = 'redaction';
  try {
    const status = await redactionStatus(folder, rules);
    const isOff = rules.known.length + rules.patterns.length === 0;
    if (isOff && status.under_others === 0) return [];
    return [{ what, is_well: status.under_others === 0, words: `${wordsOf(rules)}; ${sentenceOf(status)}` }];
  } catch (error) {
    return [{ what, is_well: false, words: error instanceof Error ? error.message : String(error) }];
  }
}

/** `start` looks once a day. */
const patience_s = 2 * 86_400;

/** Retention periods, and whether they have been applied. */
function retention({ keep }: Config, folder: Folder): Finding[] {
  const what = 'retention';
  try {
    const marks = marksOf(folder);
    if (retainedKinds.every((kept) => keep[kept] === null && marks[kept] === undefined)) return [];
    const due = dueSentence(keep, marks, clock());
    const isLate = existsSync(folder.raw) && dueSentence(keep, marks, clock() - patience_s) !== '';
    const objection = due === '' ? '' : (objectionToClock(folder.published, clock()) ?? '');
    return [{ what, is_well: !isLate, words: [keepSentence(keep, marks), due, objection].filter(Boolean).join('; ') }];
  } catch (error) {
    return [{ what, is_well: false, words: error instanceof Error ? error.message : String(error) }];
  }
}

function port(what: string, host: string, number: number): Promise<Finding> {
  return new Promise((resolve) => {
    const probe = createServer();
    const answer = (is_well: boolean, words: string): void => resolve({ what, is_well, words });
    probe.once('error', () => answer(true, `${number} on ${host} is in use, by this product or another one`));
    probe.listen(number, host, () => probe.close(() => answer(true, `${number} on ${host} is free`)));
  });
}
