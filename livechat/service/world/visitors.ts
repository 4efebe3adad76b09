// Who a visitor is: everything follows from the seed and the visitor's ordinal, so nothing about them needs storing.
import type { VisitorRecord } from '../records.ts';
import { visitorId } from './identifiers.ts';
import { oddOf } from './odd.ts';
import { type Language, ORIGINS, type VisitorOrigin, USER_AGENTS } from './places.ts';
import { Random } from './random.ts';

export interface Visitor {
  record: VisitorRecord;
  language: Language;
}

const WEIGHTS = ORIGINS.map((origin) => origin.weight);

export function visitorOf(seed: number, ordinal: number, firstSeen: number): Visitor {
  const random = new Random(seed, 'visitor', ordinal);
  const origin = ORIGINS[random.weighted(WEIGHTS)] as VisitorOrigin;
  const [city, region] = random.pick(origin.cities);
  const name = nameOf(random, origin, seed);
  const record: VisitorRecord = {
    id: visitorId(seed, ordinal, firstSeen),
    name,
    email: random.chance(0.72) ? emailOf(random, name, ordinal) : '',
    ip: addressOf(random),
    city,
    country: origin.country,
    country_code: origin.country_code,
    region,
    timezone: origin.timezone,
    user_agent: random.pick(USER_AGENTS),
  };
  return { record, language: random.chance(0.75) ? origin.language : 'en' };
}

function nameOf(random: Random, origin: VisitorOrigin, seed: number): string {
  const kind = random.unit();
  if (kind < 0.003) return random.pick(oddOf(seed).names);
  if (kind < 0.06) return '';
  const first = random.pick(origin.first_names);
  return kind < 0.2 ? first : `${first} ${random.pick(origin.last_names)}`;
}

function emailOf(random: Random, name: string, ordinal: number): string {
  const letters = name
    .normalize('NFD')
    .replace(/[^A-Za-z]+/g, '.')
    .replace(/^\.+|\.+$/g, '')
    .toLowerCase();
  return `${letters || 'guest'}${ordinal % 997}@${random.pick(['example.com', 'example.org', 'mail.example'])}`;
}

/** Addresses of the ranges set aside for documentation, so that nobody real is ever named. */
function addressOf(random: Random): string {
  if (random.chance(0.05)) return `2001:db8::${random.hex(4)}:${random.hex(4)}`;
  return `${random.pick(['203.0.113', '198.51.100', '192.0.2'])}.${random.between(1, 254)}`;
}
