// The available kinds of channel. Adding one takes a file and a line.
import { z } from 'zod';
import type { ChannelKind, DeliveryMeans } from './channel.ts';
import { folder } from './folder.ts';
import type { Letter } from './letter.ts';
import { mail } from './mail.ts';
import type { DeliveryOutcome } from './outcome.ts';
import { slack } from './slack.ts';
import { webhook } from './webhook.ts';

const all = [folder, mail, webhook, slack] as const;

type SchemasOf<Kinds extends readonly { schema: unknown }[]> = { [At in keyof Kinds]: Kinds[At]['schema'] };

const nameOf = (kind: (typeof all)[number]) => kind.schema.shape.kind.value;
export const kinds = all.map(nameOf);

/** A channel as a digest keeps it. */
export const channel = z.discriminatedUnion(
  'kind',
  all.map(({ schema }) => schema) as unknown as SchemasOf<typeof all>,
);
export type Channel = z.infer<typeof channel>;

const byName = new Map<string, ChannelKind>(all.map((kind) => [nameOf(kind), kind as unknown as ChannelKind]));

function kindOf({ kind }: Pick<Channel, 'kind'>): ChannelKind {
  const found = byName.get(kind);
  if (!found) throw new Error(`there is no channel ${kind}`);
  return found;
}

/** Form fields by kind. */
export const channelForms = all.map((kind) => ({
  kind: nameOf(kind),
  title: kind.form.title,
  has_url: kind.form.hasUrl ?? false,
}));

/** The address of the web that a channel goes to, where it has one. */
export const urlOf = (one: Channel): string | undefined => ('url' in one ? one.url : undefined);

/** What tells one channel of a digest from another. */
export const keyOfChannel = (one: Channel): string => [one.kind, urlOf(one)].filter(Boolean).join(' ');

/** Whether it reaches readers by their mail addresses. */
export const isByAddress = (one: Channel): boolean => kindOf(one).isByAddress ?? false;

/** `key` identifies a channel. A folder can be written twice without harm; a mail reader would see the digest twice. */
export const isRepeatable = (key: string): boolean => byName.get(key.split(' ')[0] ?? '')?.isRepeatable ?? false;

/** What signs the body of a channel, where something does. */
export const secretOf = (one: Channel): string | undefined => ('secret' in one ? one.secret : undefined);

/** With a secret where its kind has one and it has none yet. */
export const withSecret = (one: Channel, secret: () => string): Channel =>
  kindOf(one).hasSecret && secretOf(one) === undefined ? ({ ...one, secret: secret() } as Channel) : one;

/** The public view: secrets are returned once, when they are created. */
export function withoutSecret(one: Channel): Channel {
  const { secret: _secret, ...rest } = one as Channel & { secret?: string };
  return rest as Channel;
}

/** Delivers a letter and returns the outcome. */
export const deliver = (one: Channel, letter: Letter, means: DeliveryMeans): Promise<DeliveryOutcome> =>
  kindOf(one).deliver(one, letter, means);
