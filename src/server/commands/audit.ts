// `chatledger audit`: who did and who read what, and the proof that no row was changed.
import { auditActions, type AuditAction, type AuditFilter } from '#auth/audit.ts';
import type { Auth } from '#auth/auth.ts';
import { isDate } from '#warehouse/periods.ts';
import { exitCodes, Stopped } from '../errors.ts';
import { withAuth } from '../auth.ts';
import { tableOf } from '../text-table.ts';
import { out, outJson } from '../terminal.ts';

interface AuditOptions {
  head?: string;
  who?: string;
  action?: string;
  since?: string;
  limit: string;
  json?: boolean;
}

const commands = { list, verify } as const;

export async function audit(command: string, options: AuditOptions): Promise<void> {
  if (!Object.hasOwn(commands, command))
    throw new Stopped(`audit ${command} is no action; choose from ${Object.keys(commands).join(', ')}`);
  await withAuth((auth) => commands[command as keyof typeof commands](auth, options));
}

function filterOf({ who, action, since }: AuditOptions): AuditFilter {
  const known = auditActions.find((name) => name === action);
  if (action !== undefined && known === undefined)
    throw new Stopped(`--action ${action}: there is no such action; choose from ${auditActions.join(', ')}`);
  if (since !== undefined && !isDate(since)) throw new Stopped(`--since ${since} is not a day, write it as 2026-11-01`);
  return { who, action: known satisfies AuditAction | undefined, from: since };
}

function list({ audit }: Auth, options: AuditOptions): void {
  const { limit, json } = options;
  if (!/^[1-9]\d{0,6}$/.test(limit)) throw new Stopped(`--limit ${limit} is not a number of rows from 1 to 9999999`);
  const rows = audit.list(filterOf(options), Number(limit));
  if (json) return outJson({ rows });
  if (rows.length === 0) return out('there are no such rows');
  out(
    ...tableOf(
      ['n', 'at', 'who', 'from', 'action', 'about', 'agents', ''],
      rows.map(({ n, at, who, address, action, about, agents, is_refused }) => [
        ...[n, at, who, address, action, about, agents, is_refused ? 'refused' : ''],
      ]),
    ),
  );
}

function verify({ audit }: Auth, { head, json }: AuditOptions): void {
  const { rows, hash, broken } = audit.verify(head);
  const [shortened] = audit.list({ action: 'audit.shortened' }, 1);
  if (json) outJson({ rows, head: hash, broken });
  else if (broken.length > 0)
    out(`the audit is not as it was written (${rows} rows, ${broken.length} wrong):`, ...broken.map(({ why }) => why));
  else
    out(
      `${rows} rows, each follows from the one before${head === undefined ? '' : `; the noted head ${head} is among them`}`,
      ...(shortened ? [`older rows went by CHATLEDGER_KEEP_AUDIT, last at ${shortened.at}: ${shortened.about}`] : []),
      ...(rows > 0
        ? [`head: ${hash}`, 'note it elsewhere: `audit verify --head` shows later that nothing before it was changed']
        : []),
    );
  if (broken.length > 0) process.exitCode = exitCodes.failed;
}
