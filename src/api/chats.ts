// Chats themselves: searching them, and one as it was written.
import type { Hono } from 'hono';
import type { AnswerCache } from './answers.ts';
import { contextOf } from './context.ts';
import { getChat, searchChats as searching, type FoundChats, type Transcript } from './contract/chats.ts';
import { routed } from './contract/endpoint.ts';
import type { Row } from '#warehouse/engine.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { assertNamed, linesIn, onlyOne, questionIn, wantedChatsOf } from './question.ts';
import { searchChats } from '#reports/receipts/search.ts';
import { transcriptOf } from '#reports/receipts/transcript.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';

function addSearch(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(searching.path, async (c) => {
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    const wanted = wantedChatsOf(parameters);
    const asked = await contextOf(deps, c, parameters);
    return answers.answer<FoundChats>(c, asked, `chats ${search}`, async (context) => ({
      ...(await searchChats(wanted, context)),
      snapshot: asked.snapshot,
    }));
  });
}

const ofChat = Object.keys(getChat.query.shape);

function addTranscript(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  app.get(routed(getChat), async (c) => {
    const id = c.req.param('id');
    const { search, searchParams } = new URL(c.req.url);
    const parameters = questionIn(searchParams);
    assertNamed(parameters, ofChat);
    const [metric, agent, account] = ['metric', 'agent', 'account'].map(
      (name) => onlyOne(parameters, name) || undefined,
    );
    if (metric !== undefined) metricOf(metric);
    const lines = linesIn(parameters);
    const asked = await contextOf(deps, c, { ...parameters, account });
    return answers.answer<Transcript>(c, asked, `chat ${id} ${search}`, async (context) => {
      const found = await transcriptOf(context, id, { metric, agent }, lines);
      if (!found) throw new Declined('not_found', `there is no chat ${id} in the archive`);
      const chat = found.chat as Transcript['chat'];
      return { ...found, chat, ...textsGone(deps, chat, found.lines), snapshot: asked.snapshot };
    });
  });
}

/** Also set while old texts are still being removed, but only for chats whose texts are already gone. */
function textsGone(
  { textsKeptFrom }: ApiDeps,
  { started_at }: Transcript['chat'],
  lines: readonly Row[],
): Pick<Transcript, 'texts_gone_before'> {
  const from = textsKeptFrom?.() ?? null;
  const isOld = from !== null && started_at < from && lines.every(({ text }) => /^·*…?$/.test(String(text ?? '')));
  return isOld && lines.length > 0 ? { texts_gone_before: from } : {};
}

export function addChats(app: Hono, deps: ApiDeps, answers: AnswerCache): void {
  addSearch(app, deps, answers);
  addTranscript(app, deps, answers);
}
