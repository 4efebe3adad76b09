// The second factor: codes of an app by the clock (TOTP, RFC 6238), each taken once, and recovery codes for a lost telephone.
import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { Secret, TOTP } from 'otpauth';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { Audit } from './audit.ts';
import { BadUser } from './errors.ts';
import { grouped } from './passwords.ts';
import { consume } from './throttle.ts';
import { inTransaction } from './transaction.ts';
import type { UserStore } from './users.ts';

export interface SecondFactor {
  isOn(user: string): boolean;
  /** Recovery codes that are left. */
  left(user: string): number;
  /** A new secret, active once a code has been confirmed; `uri` is for authenticator apps. Errors: BadUser, if already enabled. */
  begin(user: string): { secret: string; uri: string };
  /** Turns it on. The recovery codes, told this once. Errors: BadUser, TooOften. */
  confirm(user: string, code: string): Promise<string[]>;
  /** Whether a code is right; no code is right twice. */
  take(user: string, code: string): boolean;
  /** Turns it off. Whether it was on. */
  remove(user: string): boolean;
}

const step_seconds = 30;
const recovery_codes = 10;
/** Unconfirmed setups expire. */
const pending_ms = 600_000;
/** Codes that a user may try during setup. */
const ofUser = { points: 10, duration: 600 };

/** Four groups of six characters: 120 bits. */
const recoveryCode = (): string => grouped(24, 6);

const hashOf = (code: string): string =>
  createHash('sha256').update(code.toLowerCase().replaceAll(/[\s-]/g, '')).digest('hex');

export const secondFactorSchema = `
create table if not exists second_factors (
  user text primary key references users (id) on delete cascade, secret text not null, is_on integer not null,
  begun_at text not null, last_step integer not null) strict;
create table if not exists recovery_codes (
  user text not null references users (id) on delete cascade, hash text not null, primary key (user, hash)) strict;`;

export function secondFactorIn(
  database: DatabaseSync,
  { record }: Audit,
  users: Pick<UserStore, 'find'>,
  clock: () => number,
): SecondFactor {
  const tries = new RateLimiterMemory(ofUser);
  const statement = {
    find: database.prepare('select secret, is_on, begun_at, last_step from second_factors where user = ?'),
    begin: database.prepare(
      'insert into second_factors (user, secret, is_on, begun_at, last_step) values (?, ?, 0, ?, 0)' +
        ' on conflict do update set secret = excluded.secret, is_on = 0, begun_at = excluded.begun_at, last_step = 0',
    ),
    confirm: database.prepare('update second_factors set is_on = 1, last_step = ? where user = ?'),
    use: database.prepare('update second_factors set last_step = ? where user = ? and last_step < ?'),
    remove: database.prepare('delete from second_factors where user = ?'),
    addCode: database.prepare('insert into recovery_codes (user, hash) values (?, ?)'),
    useCode: database.prepare('delete from recovery_codes where user = ? and hash = ?'),
    forgetCodes: database.prepare('delete from recovery_codes where user = ?'),
    left: database.prepare('select count(*) as count from recovery_codes where user = ?'),
  };
  const kept = (user: string) => {
    const row = statement.find.get(user);
    return row && { secret: String(row.secret), is_on: row.is_on === 1, begun_at: Date.parse(String(row.begun_at)) };
  };
  const emailOf = (user: string): string => users.find(user)?.email ?? user;
  const totpOf = (secret: string, label: string): TOTP =>
    new TOTP({ issuer: 'Chatledger', label, period: step_seconds, secret: Secret.fromBase32(secret) });

  /** The time step of a code, within one step before and after; undefined: wrong code. */
  function stepOf(secret: string, code: string): number | undefined {
    const token = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return undefined;
    const delta = totpOf(secret, '').validate({ token, timestamp: clock(), window: 1 });
    return delta === null ? undefined : Math.floor(clock() / 1000 / step_seconds) + delta;
  }

  return {
    isOn: (user) => kept(user)?.is_on ?? false,
    left: (user) => Number(statement.left.get(user)?.count),
    begin: (user) =>
      inTransaction(database, () => {
        if (kept(user)?.is_on) throw new BadUser('code', 'the second factor is on already: turn it off first');
        const secret = new Secret({ size: 20 }).base32;
        statement.begin.run(user, secret, new Date(clock()).toISOString());
        return { secret, uri: totpOf(secret, emailOf(user)).toString() };
      }),
    async confirm(user, code) {
      await consume(tries, user);
      return inTransaction(database, () => {
        const begun = kept(user);
        if (!begun || begun.is_on || clock() - begun.begun_at > pending_ms)
          throw new BadUser('code', 'there is nothing to confirm: begin again');
        const step = stepOf(begun.secret, code);
        if (step === undefined)
          throw new BadUser(
            'code',
            'the code is wrong: take the newest of the app, and see whether its clock is right',
          );
        statement.confirm.run(step, user);
        statement.forgetCodes.run(user);
        const codes = Array.from({ length: recovery_codes }, recoveryCode);
        for (const one of codes) statement.addCode.run(user, hashOf(one));
        record({ action: 'second_factor.on', about: emailOf(user) });
        return codes;
      });
    },
    take: (user, code) =>
      inTransaction(database, () => {
        const { secret, is_on } = kept(user) ?? { secret: '', is_on: false };
        if (!is_on) return false;
        const step = stepOf(secret, code);
        if (step !== undefined) return statement.use.run(step, user, step).changes > 0;
        const isRecovery = statement.useCode.run(user, hashOf(code)).changes > 0;
        if (isRecovery) record({ action: 'second_factor.recovered', about: emailOf(user) });
        return isRecovery;
      }),
    remove: (user) =>
      inTransaction(database, () => {
        const wasOn = kept(user)?.is_on ?? false;
        statement.remove.run(user);
        statement.forgetCodes.run(user);
        if (wasOn) record({ action: 'second_factor.off', about: emailOf(user) });
        return wasOn;
      }),
  };
}
