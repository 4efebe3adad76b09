// Tools about single chats, for callers who may read them.
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { rates } from '#warehouse/read/search.ts';
import type { FoundChats } from '../contract/chats.ts';
import { inputOf, readOnly, withRefusals, answerTo, queryOf, untrustedAnswer, type ToolSource } from './asking.ts';
import { questionShape } from './questions.ts';

/** Characters of one line. */
const longest_line = 2000;

export function addChatTools(server: McpServer, { ask, origin }: ToolSource): void {
  const { from, to, group, agent, tag, country, variable, timezone, account, as_of } = questionShape;

  server.registerTool(
    'search_chats',
    {
      title: 'Search chats',
      description: 'Chats by when they started, whose they are and what was said, newest first.',
      inputSchema: inputOf({
        ...{ from, to, group, agent, tag, country, variable, timezone, account, as_of },
        rate: z.array(z.enum(rates)).optional(),
        query: z.string().max(300).optional().describe('Words in messages or the name of the visitor'),
        limit: z.int().min(1).max(100).optional().describe('Default 20'),
        offset: z.int().min(0).optional(),
      }),
      annotations: readOnly,
    },
    ({ limit = 20, ...asked }) =>
      withRefusals(async () =>
        untrustedAnswer(await answerTo<FoundChats>(ask, `/chats${queryOf({ ...asked, limit })}`)),
      ),
  );

  server.registerTool(
    'get_chat',
    {
      title: 'Read a chat',
      description: 'One chat as it was written, with the lines that make its durations.',
      inputSchema: inputOf({
        chat_id: z.string().max(100),
        account,
        limit: z.int().min(1).max(200).optional().describe('Lines; default 100'),
        offset: z.int().min(0).optional(),
        as_of,
      }),
      annotations: readOnly,
    },
    ({ chat_id, limit = 100, ...asked }) =>
      withRefusals(async () => {
        const id = encodeURIComponent(chat_id);
        const { account, as_of } = asked;
        const chat = await answerTo<object>(ask, `/chats/${id}${queryOf({ ...asked, limit, longest: longest_line })}`);
        return untrustedAnswer({ link: `${origin}/chat/${id}${queryOf({ account, as_of })}`, ...chat });
      }),
  );
}
