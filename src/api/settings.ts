// The settings of the program: all of them for admins, changes of some, and a test of the mail server.
import type { Context, Hono } from 'hono';
import { sendMailCheck } from '#digests/test-mail.ts';
import { assertSeesAll, readerOf } from './context.ts';
import { listSettings, saveSettings, sendTestMail, type Settings } from './contract/settings.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import type { ApiDeps, SettingsStore } from './deps.ts';
import { Declined } from './errors.ts';
import { mailIsOff, outcomeOfMail, testAddress } from './test-address.ts';
import { bodyOf } from './validation.ts';

/** Errors: Declined, where the operator has closed the page. */
export function assertOpen(store: Pick<SettingsStore, 'isOpen'> | undefined): void {
  if (store?.isOpen() === false)
    throw new Declined('conflict', 'settings are not changed here: the operator has set CHATLEDGER_SETTINGS_PAGE=off');
}

export function addSettings(app: Hono, deps: ApiDeps): void {
  const storeFor = (c: Context): SettingsStore => {
    assertSeesAll(readerOf(c), 'the settings, which are about everybody');
    if (!deps.settings) throw new Declined('unavailable', 'this server has no settings');
    c.header('cache-control', 'no-store');
    return deps.settings;
  };
  const answerFrom = (store: SettingsStore): Settings => ({
    settings: [...store.list()],
    own_pace: store.ownPace(),
    can_mail: store.mail() !== null,
    can_change: store.isOpen(),
  });

  app.get(listSettings.path, (c) => c.json<Settings>(answerFrom(storeFor(c))));

  app.put(saveSettings.path, async (c) => {
    const store = storeFor(c);
    assertOpen(store);
    const { values } = await bodyOf(c, saveSettings.body);
    store.change(values);
    return c.json<Settings>(answerFrom(store));
  });

  app.post(sendTestMail.path, async (c) => {
    const store = storeFor(c);
    assertOpen(store);
    const { to: given } = await bodyOf(c, sendTestMail.body);
    const post = store.mail();
    if (!post) throw new Declined('unavailable', mailIsOff);
    const to = testAddress(c, given);
    return c.json<AnswerOf<typeof sendTestMail>>(outcomeOfMail(to, await sendMailCheck(post, to)));
  });
}
