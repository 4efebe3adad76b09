// A kind of channel as a value: what a digest keeps of it, what its form asks for, and how a letter goes out on it.
import { z } from 'zod';
import type { Webhooks } from './http.ts';
import type { Letter } from './letter.ts';
import type { DeliveryOutcome } from './outcome.ts';
import type { Post } from './smtp.ts';

/** Attachments of one letter, in bytes; many servers refuse more when they are encoded. */
export const most_attached = 8_000_000;

/** What handing over needs of the program around it. */
export interface DeliveryMeans {
  /** Unix seconds. */
  now: number;
  /** Where digests are written, an absolute path. */
  folder: string;
  post: Post | null;
  webhooks: Webhooks;
  /** The page that ends the digest for its reader, where there is a public address. */
  unsubscribe: string | null;
}

/** `kind`, and what else a digest keeps of one channel. */
type ChannelSettings = z.ZodObject<{ kind: z.ZodLiteral<string> }>;

export interface ChannelKind<Schema extends ChannelSettings = ChannelSettings> {
  schema: Schema;
  form: {
    title: string;
    /** It goes to an address of the web, which the form asks for as `url`. */
    hasUrl?: true;
  };
  /** It can be handed over twice without harm. */
  isRepeatable: boolean;
  /** It reaches readers with a mail address who did not unsubscribe. */
  isByAddress?: true;
  /** What it sends is signed with `secret`: made where it is missing, told once, never shown. */
  hasSecret?: true;
  deliver(channel: z.infer<Schema>, letter: Letter, means: DeliveryMeans): Promise<DeliveryOutcome>;
}

export const channelKind = <Schema extends ChannelSettings>(kind: ChannelKind<Schema>): ChannelKind<Schema> => kind;

/** Where a webhook may go, as a digest keeps it. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with https:// or http://',
});
