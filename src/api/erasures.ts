// Erasing a visitor over HTTP: preview, execution, and the list of past erasures.
import type { Context, Hono } from 'hono';
import { assertSeesAll, callerIn } from './context.ts';
import { listErasures, planErasure, startErasure } from './contract/erasures.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps, Eraser, WantedPerson } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './validation.ts';

export function addErasures(app: Hono, deps: ApiDeps): void {
  app.get(listErasures.path, (c) => {
    assertSeesAll(callerIn(c).reader, 'erasing');
    const { running = null, problem = null } = deps.eraser?.state() ?? {};
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof listErasures>>({ erasures: deps.erasures?.() ?? [], running, problem });
  });

  app.post(planErasure.path, async (c) => {
    const eraser = eraserOf(deps, c);
    const found = await eraser.plan(personIn(await bodyOf(c, planErasure.body)));
    c.header('cache-control', 'no-store');
    return c.json<AnswerOf<typeof planErasure>>(found);
  });

  app.post(startErasure.path, async (c) => {
    const eraser = eraserOf(deps, c);
    const { confirm, ...asked } = await bodyOf(c, startErasure.body);
    const person = personIn(asked);
    if (confirm.trim() !== (person.visitor ?? person.email))
      throw new Declined('bad_request', 'confirm: write the id or the address once more, as it is');
    eraser.start(person, callerIn(c).user?.email ?? 'the owner of the machine');
    return c.json<AnswerOf<typeof startErasure>>({ started: true }, 202);
  });
}

function eraserOf(deps: ApiDeps, c: Context): Eraser {
  assertSeesAll(callerIn(c).reader, 'erasing');
  if (!deps.eraser)
    throw new Declined('conflict', "this server only serves: run 'npx chatledger erase', or 'npx chatledger start'");
  if (deps.eraser.state().running) throw new Declined('conflict', 'a visitor is being erased: wait until that is done');
  return deps.eraser;
}

interface NamedPerson {
  visitor?: string | undefined;
  email?: string | undefined;
  account?: string | undefined;
}

function personIn({ visitor, email, account }: NamedPerson): WantedPerson {
  if ((visitor === undefined) === (email === undefined))
    throw new Declined('bad_request', 'say whom: visitor or email, one of the two');
  return {
    ...(visitor === undefined ? {} : { visitor }),
    ...(email === undefined ? {} : { email }),
    ...(account === undefined ? {} : { account }),
  };
}
