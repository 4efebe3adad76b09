// Greetings shown, chats that came from them, and goals reached by those chats; each by its own instant.
import { chatOf } from '../account.ts';
import type { LightChat } from '../light.ts';
import type { GreetingDisplay } from '../records.ts';
import { inSlices } from '../slices.ts';
import type { ReportHandler } from './handler.ts';
import { periodsOf } from './periods.ts';
import { eachChat, eachGoal, isAny, isAsked } from './selection.ts';

export const greetings: ReportHandler<'greetings'> = (account) => async (args) => {
  const periods = periodsOf(account, args);
  const displayed = periods.zeros();
  const accepted = periods.zeros();
  const reached = periods.zeros();
  const is_asked = (greeting: number | null) => args.greeting === undefined || greeting === args.greeting;
  const is_from = (chat: LightChat) => chat.engagement === 'auto_invite' && is_asked(chat.greeting);

  const displays = account.displays.between(periods.from, Math.min(periods.to, periods.now));
  const show = (display: GreetingDisplay): void => {
    const cell = periods.cellAt(display.at);
    if (cell < 0 || !is_asked(display.greeting) || !isAny(args.groups, [display.group])) return;
    if (args.tags.length > 0) {
      // Only a chat has tags, so asked by tag a display counts when the chat it led to carries one.
      const chat = display.chat_id === null ? undefined : chatOf(account, display.chat_id);
      if (!chat || !isAsked(chat, { groups: [], agents: [], tags: args.tags }, periods.now)) return;
    }
    displayed[cell]!++;
  };
  // All of the same instant: each begins before the first has ended.
  await Promise.all([
    inSlices(displays, show),
    eachChat(account, args, periods, (chat, cell) => {
      if (is_from(chat)) accepted[cell]!++;
    }),
    eachGoal(account, args, periods, (goal, cell, chat) => {
      if (is_from(chat) && !goal.is_sale && (args.goal === undefined || goal.id === args.goal)) reached[cell]!++;
    }),
  ]);
  return periods.fill((cell) => ({
    ...periods.clip(cell),
    displayed: displayed[cell]!,
    accepted: accepted[cell]!,
    goals: reached[cell]!,
  }));
};
