// Every address that is answered with figures, chats or lists, asked of both engines: the answers must be the same text.
import { routes } from '../access/routes.ts';
import { ask, restrictedAccount } from '../api/restricted.ts';
import { openDatabase, published } from './both.ts';

/** What is made of the file itself, or does not end. */
const isOfFile = (address: string): boolean => /\.(pdf|xlsx|parquet)|\/file|\/sql|\/events/.test(address);

const more = [
  '/chat-rows.csv?from=2026-05-01&to=2026-05-11&columns=chat_id,started,ended,agents,agent_names,groups,group_names,tags,comment,goals,goal_names,sales,turnover,currency,variables,visitor_messages,agent_messages,is_replied',
  '/agents/expected?from=2026-05-01&to=2026-05-11&group=1',
  '/chats?from=2026-05-01&to=2026-05-11&survey=comment',
  '/chats?from=2026-05-01&to=2026-05-11&query=THE',
  '/reconciliation?from=2026-05-01&to=2026-05-11&limit=1000',
];

/** Addresses of figures, chats and lists, behind `/api`, as the table of access asks them. */
export const addresses: readonly string[] = [
  ...Object.entries(routes).flatMap(([name, { asked }]) => (name.startsWith('GET ') && asked ? [asked] : [])),
  ...more,
].filter((address) => !isOfFile(address));

/** Addresses that are answered otherwise, with both answers; `asked`: how many there are. */
export async function otherAddresses(): Promise<{ asked: number; failures: unknown[] }> {
  const account = await restrictedAccount();
  const database = await openDatabase();
  try {
    const engines = [account.whole, await published(database, account.whole)];
    const [file, other] = engines.map((engine) => account.apiOf(engine, () => ({ id: 'everything' })));
    if (!file || !other) throw new Error('there are two engines');
    const failures: unknown[] = [];
    for (const address of addresses) {
      const [one, two] = [await ask(file, `/api${address}`), await ask(other, `/api${address}`)];
      const errors = account.errors.splice(0).map(String);
      if (one.status !== two.status || one.body !== two.body || errors.length > 0)
        failures.push({ address, one, two, errors });
    }
    return { asked: addresses.length, failures };
  } finally {
    await database.close();
    await account.close();
  }
}
