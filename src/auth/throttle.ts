// How often a wrong password may be tried: by address, by user from one address, and by user from anywhere else than before.
import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { TooOften } from './errors.ts';

const minute = 60;
/** All attempts from one IP address. */
const ofPlace = { points: 40, duration: 10 * minute };
/** Wrong passwords of one user from one address. */
const ofPair = { points: 8, duration: 10 * minute };
/** Attempts for one user from addresses where that user never signed in: strangers must not lock out the user. */
const ofStrangers = { points: 60, duration: 60 * minute };

interface Attempt {
  email: string;
  /** The stored hash that it is tried against: tries against the password of before do not count against another. */
  hash: string | undefined;
  /** Where from: see placeOf. */
  place: string;
  /** The user has signed in from there before. */
  isKnownPlace: boolean;
}

export class Throttle {
  readonly #place = new RateLimiterMemory(ofPlace);
  readonly #pair = new RateLimiterMemory(ofPair);
  readonly #strangers = new RateLimiterMemory(ofStrangers);

  /**
   * Counts an attempt before the password is verified, so that concurrent ones count too. A refused attempt counts nowhere else: one
   * address must not use up other limits. Errors: TooOften.
   */
  async begin(attempt: Attempt): Promise<void> {
    const { place, isKnownPlace } = attempt;
    await consume(this.#place, place);
    try {
      await consume(this.#pair, pairOf(attempt));
      if (!isKnownPlace) await consume(this.#strangers, userOf(attempt));
    } catch (refused) {
      // No password was verified: a client with an outdated one must not lock out everybody at its address.
      await this.#place.reward(place, 1);
      throw refused;
    }
  }

  /** The password was right, and more is needed: this attempt does not count, and those before do. */
  async undo(attempt: Attempt): Promise<void> {
    await this.#place.reward(attempt.place, 1);
    await this.#pair.reward(pairOf(attempt), 1);
    if (!attempt.isKnownPlace) await this.#strangers.reward(userOf(attempt), 1);
  }

  /** The password was correct: its attempts are forgotten. */
  async succeed(attempt: Attempt): Promise<void> {
    await this.#place.reward(attempt.place, 1);
    await this.#pair.delete(pairOf(attempt));
    if (!attempt.isKnownPlace) await this.#strangers.reward(userOf(attempt), 1);
  }
}

/** The user with the present password; the stored hash itself stays out of what is counted. */
const userOf = ({ email, hash = '' }: Attempt): string =>
  `${email} ${createHash('sha256').update(hash).digest('base64url')}`;
const pairOf = (attempt: Attempt): string => `${userOf(attempt)} ${attempt.place}`;

/** Errors: TooOften. */
export async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (refused instanceof RateLimiterRes) throw new TooOften(Math.ceil(refused.msBeforeNext / 1000));
    throw refused;
  }
}
