// `chatledger token`: tokens for programs, from the machine itself.
import { rightNames, rightsOf, type Right } from '#auth/rights.ts';
import { Stopped } from '../errors.ts';
import { withAuth } from '../auth.ts';
import { tableOf } from '../text-table.ts';
import { out, outJson } from '../terminal.ts';
import type { Auth } from '#auth/auth.ts';

interface TokenOptions {
  user?: string;
  rights?: string;
  days: string;
  json?: boolean;
}

const actions = { add, list, revoke } as const;

export async function token(action: string, name: string | undefined, options: TokenOptions): Promise<void> {
  if (!Object.hasOwn(actions, action))
    throw new Stopped(`token ${action} is no action; choose from ${Object.keys(actions).join(', ')}`);
  await withAuth((auth) => actions[action as keyof typeof actions](auth, name, options));
}

function rightsIn(list: string): Right[] {
  const names = list.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !(rightNames as readonly string[]).includes(name));
  if (unknown.length > 0)
    throw new Stopped(`--rights ${unknown.join(', ')}: there is no such right; choose from ${rightNames.join(', ')}`);
  return rightNames.filter((name) => names.includes(name));
}

function add({ users, tokens }: Auth, name: string | undefined, { user, rights, days, json }: TokenOptions): void {
  if (name === undefined) throw new Stopped('give the token a name after `add`, such as what will use it');
  if (user === undefined) throw new Stopped('say whose it is with --user and the e-mail address of a user');
  const maker = users.named(user);
  const chosen = rights === undefined ? [...rightsOf(maker.role, maker.extra_rights)] : rightsIn(rights);
  const { token, secret } = tokens.add(maker, { name, rights: chosen, days: Number(days) });
  if (json) return outJson({ ...token, secret });
  out(`${name}, of ${maker.email}, good until ${token.expires_at}. The token, shown this once:`, secret);
}

function list({ users, tokens }: Auth, _name: string | undefined, { json }: TokenOptions): void {
  const all = tokens.list();
  if (json) return outJson({ tokens: all });
  if (all.length === 0) return out('there are no tokens');
  out(
    ...tableOf(
      ['id', 'name', 'of', 'rights', 'until', 'last used'],
      all.map(({ id, name, user, rights, expires_at, last_used_at }) => [
        ...[id, name, users.find(user)?.email ?? user, rights.join(', ')],
        ...[expires_at, last_used_at ?? 'never'],
      ]),
    ),
  );
}

function revoke({ tokens }: Auth, id: string | undefined, { json }: TokenOptions): void {
  if (id === undefined) throw new Stopped('say which: the id that `token list` shows');
  if (!tokens.remove(id)) throw new Stopped(`there is no token ${id}: \`token list\` shows them`);
  if (json) return outJson({ revoked: id });
  out(`${id} opens nothing any more`);
}
