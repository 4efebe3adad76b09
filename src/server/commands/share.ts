// `chatledger share`: links that open a page without signing in, from the machine itself.
import type { Auth } from '#auth/auth.ts';
import { storedView } from '#sharing/shared-view.ts';
import { withAuth } from '../auth.ts';
import { Stopped } from '../errors.ts';
import { tableOf } from '../text-table.ts';
import { out, outJson } from '../terminal.ts';

interface ShareOptions {
  json?: boolean;
}

const actions = { list, revoke } as const;

export async function share(action: string, id: string | undefined, options: ShareOptions): Promise<void> {
  if (!Object.hasOwn(actions, action))
    throw new Stopped(`share ${action} is no action; choose from ${Object.keys(actions).join(', ')}`);
  await withAuth((auth) => actions[action as keyof typeof actions](auth, id, options));
}

function list({ users, shares, hasSharing }: Auth, _id: string | undefined, { json }: ShareOptions): void {
  const all = shares.list();
  if (json) return outJson({ shares: all });
  if (!hasSharing) out('sharing is switched off: no link opens anything (CHATLEDGER_SHARING)');
  if (all.length === 0) return out('there are no shared links');
  out(
    ...tableOf(
      ['id', 'title', 'of', 'page', 'until', 'last opened'],
      all.map(({ id, title, user, frozen, expires_at, last_used_at }) => [
        ...[id, title, users.find(user)?.email ?? user, storedView(frozen)?.page ?? 'gone'],
        ...[expires_at, last_used_at ?? 'never'],
      ]),
    ),
  );
}

function revoke({ shares }: Auth, id: string | undefined, { json }: ShareOptions): void {
  if (id === undefined) throw new Stopped('say which: the id that `share list` shows');
  if (!shares.remove(id)) throw new Stopped(`there is no shared link ${id}: \`share list\` shows them`);
  if (json) return outJson({ revoked: id });
  out(`${id} opens nothing any more`);
}
