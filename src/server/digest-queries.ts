// Runs saved queries for digests: as a user who may run SQL, in the console, with a row of the audit.
import { setTimeout } from 'node:timers/promises';
import type { OpenSnapshot, SqlAnswer, SqlConsole } from '#api/deps.ts';
import { askedFile, withFolder, withoutTexts } from '#api/sql.ts';
import type { QueryStore } from '#api/user-data.ts';
import { presentActor, type PlacedActor } from '#auth/actor.ts';
import type { Auth } from '#auth/auth.ts';
import { callerOf, callerUnder, localCaller, type Caller } from '#auth/caller.ts';
import { roleNames } from '#auth/rights.ts';
import type { QueryAsker, QueryRunner } from '#digests/saved-queries.ts';
import type { AgentFigures } from '#warehouse/query/agent-figures.ts';
import { replacedWords } from './sql-console/limits.ts';

interface QueryMeans {
  auth: Pick<Auth, 'users' | 'audit' | 'isLoginRequired'>;
  sql: SqlConsole;
  queries: Pick<QueryStore, 'find'>;
  agentFigures: AgentFigures;
  /** For temporary files. */
  files: string;
  current(): OpenSnapshot | null;
  open(id: string): Promise<OpenSnapshot>;
  /** Milliseconds between tries while too many statements wait. */
  pause_ms?: number;
}

const most_tries = 30;

export function queryRunner(means: QueryMeans): QueryRunner {
  const { auth, sql, queries, agentFigures, files, pause_ms = 2000 } = means;
  const callerFor = (user: string): Caller | undefined => {
    if (user === localCaller.reader.id) return localCaller;
    const found = auth.users.find(user);
    return found && callerUnder(agentFigures, callerOf(found));
  };
  /** Without logins it is whoever sits at the machine. */
  const ownerAt = (owner: string | undefined): Caller | undefined =>
    auth.isLoginRequired()
      ? callerFor(auth.users.byEmail(owner ?? '')?.id ?? '')
      : callerUnder(agentFigures, localCaller);
  const opened = async (id: string): Promise<OpenSnapshot> => {
    const current = means.current();
    return current?.id === id ? current : means.open(id);
  };
  /** A digest's owner, whoever has it sent; who asks for a document of a page, with their address. */
  const actorOf = ({ reader }: QueryAsker): PlacedActor => {
    const [present, own] = [presentActor(), callerFor(reader)?.actor];
    return own && own.user !== present.user ? { ...own, address: '' } : present;
  };

  return {
    askerOf(owner) {
      const caller = ownerAt(owner);
      if (!caller) return owner === undefined ? 'no_owner' : 'owner_gone';
      const { rights, reader, role } = caller;
      return rights.has('files') && !reader.rows ? { reader: reader.id, role } : 'owner_refused';
    },
    find(id, { reader }) {
      const found = queries.find(id);
      if (!found || !(found.is_shared || found.owner === reader)) return undefined;
      const { name, statement, parameters, chart } = found;
      return { name, by: auth.users.find(found.owner)?.name ?? '', statement, parameters, chart };
    },
    async run({ asker, statement, parameters, snapshot, about }) {
      const role = roleNames.find((name) => name === asker.role) ?? 'analyst';
      const asked = async (): Promise<SqlAnswer> => {
        const open = await opened(snapshot);
        return withFolder({ files }, (folder) =>
          sql.ask({ file: askedFile(open, folder), statement, parameters, folder }, { reader: asker.reader, role }),
        );
      };
      let answer = await asked();
      for (let tries = 1; isForNow(answer) && tries < most_tries; tries++) {
        await setTimeout(pause_ms);
        answer = await asked();
      }
      if (answer.kind !== 'answered')
        return answer.kind === 'busy' ? answer : { kind: 'wrong', message: answer.message };
      auth.audit.record({ action: 'sql.run', about: `${about}: ${withoutTexts(statement)}`, by: actorOf(asker) });
      const { columns, rows, more } = answer;
      return { kind: 'answered', columns, rows, more };
    },
  };
}

/** Another try may go better. */
const isForNow = (answer: SqlAnswer): boolean =>
  answer.kind === 'busy' || (answer.kind === 'wrong' && answer.message === replacedWords);
