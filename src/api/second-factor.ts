// One's own second factor: on with a code, off with the password.
import type { Context, Hono } from 'hono';
import QRCode from 'qrcode';
import { BadUser } from '#auth/errors.ts';
import type { StoredUser } from '#auth/users.ts';
import { addressIn } from './client.ts';
import { userIn } from './context.ts';
import type { AnswerOf } from './contract/endpoint.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor, getSecondFactor } from './contract/sign-in.ts';
import type { ApiDeps } from './deps.ts';
import { Declined } from './errors.ts';
import { bodyOf } from './validation.ts';

/** A QR code: modules per side, and the dark ones as an SVG path. */
function pictureOf(text: string): { size: number; dark: string } {
  const { size, data } = QRCode.create(text, { errorCorrectionLevel: 'M' }).modules;
  const dark = [...data].flatMap((isDark, at) => (isDark ? `M${at % size} ${Math.floor(at / size)}h1v1h-1z` : []));
  return { size, dark: dark.join('') };
}

export function addSecondFactor(app: Hono, deps: ApiDeps): void {
  const { users, secondFactor, passwords } = deps.auth;
  /** The signed-in user, who has typed the password again. Errors: Declined, NotSignedIn, TooOften, BadUser. */
  const confirmed = async (c: Context, password: string): Promise<StoredUser> => {
    const user = users.find(userIn(c).id);
    if (!user) throw new Declined('unauthorized', 'sign in again');
    if (users.hashOf(user.id) === undefined)
      throw new BadUser('password', 'you sign in by the identity provider, which may ask for a second factor');
    await passwords.assertPassword(user, password, addressIn(c, deps));
    return user;
  };

  app.get(getSecondFactor.path, (c) => {
    const { id } = userIn(c);
    const has_password = users.hashOf(id) !== undefined;
    return c.json<AnswerOf<typeof getSecondFactor>>({
      ...{ is_on: secondFactor.isOn(id), recovery_codes: secondFactor.left(id), has_password },
    });
  });

  app.post(beginSecondFactor.path, async (c) => {
    const { password } = await bodyOf(c, beginSecondFactor.body);
    const { secret, uri } = secondFactor.begin((await confirmed(c, password)).id);
    return c.json<AnswerOf<typeof beginSecondFactor>>({ secret, uri, picture: pictureOf(uri) });
  });

  app.put(confirmSecondFactor.path, async (c) => {
    const { code } = await bodyOf(c, confirmSecondFactor.body);
    const recovery_codes = await secondFactor.confirm(userIn(c).id, code);
    return c.json<AnswerOf<typeof confirmSecondFactor>>({ recovery_codes });
  });

  app.post(endSecondFactor.path, async (c) => {
    const { password } = await bodyOf(c, endSecondFactor.body);
    secondFactor.remove((await confirmed(c, password)).id);
    return c.body(null, 204);
  });
}
