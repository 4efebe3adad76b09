// Declared variables of an account: visible to everybody who reads figures, declared by those who decide what readers may see.
import type { Context, Hono } from 'hono';
import { declaredIn } from '#warehouse/query/file-variables.ts';
import { isMasked, isPartial, type Reader } from '#warehouse/query/reader.ts';
import { seenIn } from '#warehouse/read/variables.ts';
import { accountOf, assertPulledHere, callerIn, readerOf, snapshotOf } from './context.ts';
import {
  listSeenVariables,
  listVariables,
  saveVariables,
  type SeenVariable,
  type VariablesAnswer,
} from './contract/variables.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf, queryOf } from './validation.ts';

async function answerFor(deps: ApiDeps, account: string): Promise<VariablesAnswer> {
  const served = deps.snapshot();
  const there = served === null ? [] : await declaredIn(served.engine, account);
  const { declared, ...about } = deps.readsAll
    ? { declared: there, changed_at: null, changed_by: null }
    : deps.userData.variables.of(account);
  const in_snapshot = served !== null && JSON.stringify(there) === JSON.stringify(declared);
  return { account, variables: [...declared], ...about, in_snapshot };
}

/** Content of all chats is shown only to readers of all chats. */
function assertSeesChats(reader: Reader, what: string): void {
  if (isPartial(reader)) throw new Declined('forbidden', `${what} by those who may see all chats of the account`);
}

export function addVariables(app: Hono, deps: ApiDeps): void {
  const about = (c: Context, account: string | undefined): { reader: Reader; id: string } => {
    const reader = readerOf(c);
    return { reader, id: accountOf(deps, reader, account).id };
  };

  app.get(listVariables.path, async (c) => {
    const { id } = about(c, queryOf(c, listVariables.query).account);
    c.header('cache-control', 'no-store');
    return c.json<VariablesAnswer>(await answerFor(deps, id));
  });

  app.get(listSeenVariables.path, async (c) => {
    const { reader, id } = about(c, queryOf(c, listSeenVariables.query).account);
    assertSeesChats(reader, 'what chats say is seen');
    const found = await seenIn(snapshotOf(deps).engine, id);
    const seen = found.map((each) => ({ ...each, examples: isMasked(reader) ? [] : each.examples }));
    c.header('cache-control', 'no-store');
    return c.json<{ account: string; seen: SeenVariable[] }>({ account: id, seen });
  });

  app.put(saveVariables.path, async (c) => {
    const { reader, id } = about(c, queryOf(c, saveVariables.query).account);
    assertSeesChats(reader, 'variables are declared');
    assertPulledHere(deps, 'variables are declared');
    const { variables } = await bodyOf(c, saveVariables.body);
    const { user } = callerIn(c);
    deps.userData.variables.save(id, variables, user?.name ?? reader.id);
    deps.pullNow?.();
    return c.json<VariablesAnswer>(await answerFor(deps, id));
  });
}
