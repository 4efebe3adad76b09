// The engine's minimum time for the same pages: hand-written statements without yielding, checks and hashes. Loading is compared with it
// in the same run, because the speed of a machine varies.
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';

export interface Floor {
  /** Wall time and CPU time of all threads, seconds. */
  seconds: number;
  cpu: number;
}

const line = `author_name varchar, "text" varchar, "timestamp" bigint, user_type varchar, agent_id varchar`;
const answers = 'struct("key" varchar, "value" varchar, id varchar)[]';
const chat = `struct(id varchar, visitor struct(id varchar, "name" varchar, city varchar, country varchar, country_code varchar,
  timezone varchar, region varchar), agents struct(display_name varchar, email varchar)[], rate varchar, duration integer,
  chat_start_url varchar, referrer varchar, "group" integer[], started_timestamp bigint, ended_timestamp bigint,
  prechat_survey ${answers}, postchat_survey ${answers}, custom_variables struct("key" varchar, "value" varchar)[],
  tags varchar[], goals struct(id integer, "name" varchar, "timestamp" bigint)[], queue struct(duration integer),
  timezone varchar, engagement varchar, events struct(${line}, "type" varchar, event_type varchar)[])`;

const base = `chat.id as chat_id, to_timestamp(chat.started_timestamp) as started_at, chat.started_timestamp // 900 as started_quarter`;
const each = (columns: string, of: string): string =>
  `select ${base}, ${columns} from (select chat, unnest(${of}) as each from pages)`;

const tables: Record<string, string> = {
  chats: `select ${base}, to_timestamp(chat.ended_timestamp) as ended_at, chat.ended_timestamp - chat.started_timestamp as seconds,
    chat.visitor.id as visitor_id, chat.visitor.name as visitor_name, chat.visitor.country, chat.visitor.country_code, chat.visitor.city,
    chat.visitor.region, chat.visitor.timezone, chat.rate, chat.engagement, chat.chat_start_url, chat.referrer,
    chat.queue.duration as queue_seconds, len(chat.events) as message_count from pages`,
  messages: `select ${base}, position, to_timestamp(each.timestamp) as at, each.type, each.user_type, each.agent_id, each.author_name,
    each.event_type, each.text
    from (select chat, unnest(chat.events) as each, generate_subscripts(chat.events, 1) as position from pages)`,
  agents: each('each.email, each.display_name', 'chat.agents'),
  groups: each('each as group_id', 'chat.group'),
  tags: each('each as tag', 'chat.tags'),
  goals: each('each.id as goal_id, each.name, to_timestamp(each.timestamp) as reached_at', 'chat.goals'),
  surveys: each('each.key as question, each.value as answer', 'chat.prechat_survey || chat.postchat_survey'),
  variables: each('each.key as name, each.value', 'chat.custom_variables'),
};

async function measure(folder: string): Promise<Floor> {
  const instance = await DuckDBInstance.create(join(folder, 'floor.file'));
  const connection = await instance.connect();
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await connection.run(
    `create temp table pages as select unnest(chats) as chat from read_json('${folder}/*.pages', format = 'newline_delimited',
     maximum_object_size = 100_000_000, columns = {chats: '${chat}[]'})`,
  );
  for (const [name, select] of Object.entries(tables)) await connection.run(`create table ${name} as ${select}`);
  await connection.run('checkpoint');
  const { user, system } = process.cpuUsage(cpu);
  connection.closeSync();
  instance.closeSync();
  return { seconds: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
}

const self = fileURLToPath(import.meta.url);

/** `folder` holds pages, one a line, in files that end in `.pages`. */
export const floorOf = (folder: string): Promise<Floor> =>
  new Promise((resolve, reject) => {
    const child = fork(self, [folder]);
    child.once('message', (floor) => resolve(floor as Floor));
    child.once('exit', (code) => reject(new Error(`the engine alone ended with exit code ${code}`)));
  });

if (process.argv[1] === self && process.send) {
  process.send(await measure(process.argv[2] ?? ''));
  process.disconnect();
}
