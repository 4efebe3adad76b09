// `chatledger erase`: erases a visitor from everything that is stored, and proves that no figure changed.
import type { Erasure } from '#api/contract/erasures.ts';
import { addressOf, isAddress } from '#etl/erased/addresses.ts';
import { sourcesOf } from '../accounts.ts';
import { clock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { endOnSignal } from '../shutdown.ts';
import { endErasure } from '../erase/finish.ts';
import { erase as eraseNow, plan, type Erasing, type Plan } from '../erase/erase.ts';
import type { WantedErasure } from '../erase/job.ts';
import { erasedAndBack } from '../erase/put-back.ts';
import { sentenceOf } from '../erase/resume.ts';
import { Stopped, stoppedByFile } from '../errors.ts';
import { openFolder } from '../folder.ts';
import { endWithParent, ordered, tell } from '../ipc.ts';
import { out, outJson, showProgress } from '../terminal.ts';

export interface PersonOptions {
  visitor?: string;
  email?: string;
  account?: string;
}

interface EraseOptions extends PersonOptions {
  dry?: boolean;
  /** Repeat past erasures of people who are back in the data. */
  again?: boolean;
  json?: boolean;
}

export async function erase({ dry = false, json = false, again = false, ...options }: EraseOptions): Promise<void> {
  if (again) return eraseAgain({ dry, json, ...options });
  const wanted = wantedIn(options);
  endOnSignal();
  const erasing = erasingOf();
  try {
    const ended = await endErasure(erasing.folder, erasing.progress);
    if (ended && !json) out(sentenceOf(ended), ...('erasure' in ended ? linesOfErasure(ended.erasure) : []));
    if (dry) {
      const found = await plan(erasing, wanted);
      return json ? outJson(jsonOf(found)) : out(...linesOfPlan(found, true));
    }
    const show = (found: Plan): void => (json ? undefined : out(...linesOfPlan(found, false)));
    const erasure = await eraseNow(erasing, { wanted, show });
    if (json) outJson(erasure);
    else out(...linesOfErasure(erasure));
  } catch (error) {
    throw stoppedByFile(error, erasing.folder.path) ?? error;
  }
}

/** Repeats past erasures after an older copy of the data files was restored, one after the other. */
async function eraseAgain({
  dry = false,
  json = false,
  visitor,
  email,
  account,
}: Omit<EraseOptions, 'again'>): Promise<void> {
  if (visitor !== undefined || email !== undefined)
    throw new Stopped('--again is about all who were erased: leave --visitor and --email out');
  endOnSignal();
  const erasing = erasingOf();
  const configured = erasing.accounts.map(({ id }) => id);
  const erasures: Erasure[] = [];
  try {
    const ended = await endErasure(erasing.folder, erasing.progress);
    if (ended && !json) out(sentenceOf(ended));
    for (;;) {
      const found = await erasedAndBack(erasing.folder, configured, account);
      const [one] = found;
      if (dry)
        return json ? outJson({ visitors: found }) : out(`${found.length} visitors who were erased are there again`);
      if (!one) break;
      const wanted = { visitor: one.id, account: one.account };
      erasures.push(await eraseNow(erasing, { wanted }));
    }
  } catch (error) {
    throw stoppedByFile(error, erasing.folder.path) ?? error;
  }
  if (json) outJson({ erasures });
  else if (erasures.length === 0) out('nobody who was erased is there again');
  else out(...erasures.flatMap(linesOfErasure));
}

/** The same for the server, which sends the person to erase and receives the progress. */
export async function eraseAsOrdered(): Promise<void> {
  const { visitor, email, account, by, dry } = await ordered();
  endWithParent();
  try {
    const person = { ...(visitor ? { visitor } : {}), ...(email ? { email } : {}), ...(account ? { account } : {}) };
    const wanted = wantedIn(person);
    const progress: Erasing['progress'] = (what, done, total) => tell({ kind: 'erasing', what, done, total });
    const erasing = { ...erasingOf(), progress };
    await endErasure(erasing.folder, progress);
    if (!dry) return void (await eraseNow(erasing, { wanted, by }));
    const { person: who, ...found } = await plan(erasing, wanted);
    const { visitors, names, addresses, logins } = who;
    tell({ kind: 'erasable', found: { ...found, visitors, names, addresses: [...addresses, ...logins] } });
  } catch (error) {
    const stopped = error instanceof Stopped ? error : stoppedByFile(error);
    if (!stopped) throw error;
    tell({ kind: 'stopped', sentence: stopped.message, code: stopped.code });
    process.exitCode = stopped.code; // its message may name the person and must not be logged
  }
}

/** What a command works with. */
export function erasingOf(command = 'erase'): Erasing {
  const config = readConfig();
  const folder = openFolder(config.folder);
  const accounts = sourcesOf(config, folder, clock()).map(({ id, timezone, since }) => ({ id, timezone, since }));
  return { folder, accounts, space: config.snapshot_space, progress: showStep(command) };
}

/** Errors: Stopped when the options do not identify one person. */
export function wantedIn({ visitor, email, account }: PersonOptions): WantedErasure {
  if ((visitor === undefined) === (email === undefined))
    throw new Stopped('say whom: --visitor ID or --email ADDRESS, one of the two (or --again)');
  if (email !== undefined && !isAddress(email)) throw new Stopped(`--email ${email} is not an e-mail address`);
  if (visitor?.trim() === '') throw new Stopped('--visitor is empty: the id stands on the page of a conversation');
  return {
    ...(visitor === undefined ? {} : { visitor: visitor.trim() }),
    ...(email === undefined ? {} : { address: addressOf(email) }),
    ...(account === undefined ? {} : { account }),
  };
}

const showStep =
  (command: string): Erasing['progress'] =>
  (what, done, total) =>
    showProgress(`${command}: ${what} (${done} of ${total})`, false);

const jsonOf = ({ person, ...found }: Plan) => ({ ...found, visitors: person.visitors, chats: person.chats });

function linesOfPlan({ counts, notes, documents, unused, not_erased }: Plan, isDry: boolean): string[] {
  const rows = Object.entries(counts.rows).map(([table, count]) => `${count} of ${table}`);
  return [
    isDry ? 'this would be erased, nothing was changed:' : 'this is erased:',
    `  ${counts.chats} chats of ${counts.visitors} visitor ids; rows: ${rows.join(', ') || 'none'}`,
    `  raw archive: ${counts.raw_records} versions of chats, ${counts.raw_pages} pages, ${counts.raw_unreadable} answers that could not be read`,
    `  ${counts.snapshots_rewritten} of ${counts.snapshots} kept snapshots, ${counts.set_aside} records set aside, ${counts.mentions} texts of others, ${notes} notes, views and boards`,
    ...documents.map((file) => `  removed: ${file}`),
    ...unused.map((file) => `  removed, it was set aside or cut off: ${file}`),
    isDry ? 'this would not be erased:' : 'this is not erased:',
    ...not_erased.map(({ what, reason }) => `  ${what}: ${reason}`),
  ];
}

function linesOfErasure({ id, counts, proof, not_erased }: Erasure): string[] {
  return [
    `erased: ${counts.chats} chats; ${counts.snapshots_rewritten} snapshots and ${counts.parts_rewritten} parts are written anew`,
    `proof: ${proof.cells} numbers of ${proof.metrics} metrics (${proof.questions} questions) are the same before and after in each of these snapshots; ` +
      `the other ${proof.untouched} of ${proof.snapshots} are not touched`,
    ...not_erased.map(({ what, reason }) => `not erased: ${what}: ${reason}`),
    `erasure ${id} is in the list of erasures; nothing of the person comes back with a pull or a rebuild`,
  ];
}
