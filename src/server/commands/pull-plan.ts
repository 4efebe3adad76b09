// What the next pull would ask, without asking: the plan by source and its cost in requests.
import { pageSize } from '#contract/archive.ts';
import { threadsPerPage } from '#contract/list-archives.ts';
import { readLedger } from '#etl/ledger/ledger.ts';
import { planningOf } from '#etl/pull.ts';
import { chatsByDay } from '#warehouse/read/pulled-days.ts';
import type { SourceAccount } from '#etl/source.ts';
import { clock } from '../clock.ts';
import type { Folder } from '../folder.ts';
import { groupsAndAgents } from '#warehouse/ledger/stored-rows.ts';
import { listUnits, plan } from '#etl/plan/plan.ts';
import { sourceName, type PullUnit } from '#etl/unit.ts';
import { out, outJson } from '../terminal.ts';
import { withWriter, type Writer } from '../writer.ts';
import type { PullRange } from './pull-range.ts';

export async function printPlan(
  folder: Folder,
  sources: readonly SourceAccount[],
  range: PullRange,
  json: boolean,
): Promise<void> {
  await withWriter(folder, async (writer) => {
    for (const source of sources) await printAccount(writer, source, range, json, sources.length > 1);
  });
}

async function printAccount(
  { engine, archive }: Writer,
  source: SourceAccount,
  range: PullRange,
  json: boolean,
  isOneOfSeveral: boolean,
): Promise<void> {
  const { id: account, timezone, settling_days } = source;
  const now = clock();
  const held = await archive.held(account);
  const ledger = await readLedger(engine, { account, timezone, now, held, settling_days });
  const splits = await groupsAndAgents(engine, account);
  const chapters = plan(await planningOf({ source, engine, ...range }, ledger, splits, now));
  const chats = await chatsByDay(engine, account);
  const bySource = new Map<string, number>([['account lists', listUnits().length + splits.groups.length]]);
  for (const unit of chapters.flatMap(({ units }) => units)) {
    const name = sourceName(unit);
    bySource.set(name, (bySource.get(name) ?? 0) + costOf(unit, chats));
  }
  const unread = new Set(chapters.flatMap(({ units }) => units.flatMap((unit) => unreadDay(unit, chats))));
  const requests = [...bySource.values()].reduce((sum, cost) => sum + cost, 0);
  const by_source = Object.fromEntries(bySource);
  const splits_known = splits.groups.length > 0;
  const more = { archive_days_unread: unread.size, splits_known };
  if (json) return outJson({ account, requests, by_source, ...more });
  if (isOneOfSeveral) out(`account ${account}`);
  out(...tableOf(bySource, requests));
  if (unread.size > 0)
    out(
      `${unread.size} days of the archive were never read: each costs a page more for every ${pageSize} chats after its first`,
    );
  if (!splits_known) out('groups and agents are not known before the first pull; it will ask for each of them too');
}

/** An archive day costs as many pages as it had the last time, at least one. */
function costOf(unit: PullUnit, chats: ReadonlyMap<string, number>): number {
  if (unit.kind !== 'archive') return 1;
  const size = unit.via === 'agent_v3' ? threadsPerPage.most : pageSize;
  return Math.max(1, Math.ceil((chats.get(unit.day) ?? 0) / size));
}

/** The local day of an archive unit whose number of pages is still unknown. */
const unreadDay = (unit: PullUnit, chats: ReadonlyMap<string, number>): string[] =>
  unit.kind === 'archive' && !chats.has(unit.day) ? [unit.day] : [];

function tableOf(bySource: ReadonlyMap<string, number>, requests: number): string[] {
  const lines = [...bySource].map(([name, cost]) => `${String(cost).padStart(7)}  ${name}`);
  return [...lines, `${String(requests).padStart(7)}  requests in all`];
}
