// A kind of channel as a value: its stored fields, its form, and how it delivers a letter.
import { z } from 'zod';
import type { Webhooks } from './http.ts';
import type { Letter } from './letter.ts';
import type { DeliveryOutcome } from './outcome.ts';
import type { Post } from './smtp.ts';

/** Maximum size of one letter's attachments in bytes; many servers reject more once encoded. */
export const most_attached = 8_000_000;

/** What handing over needs of the program around it. */
export interface DeliveryMeans {
  /** Unix seconds. */
  now: number;
  /** Where digests are written, an absolute path. */
  folder: string;
  post: Post | null;
  webhooks: Webhooks;
  /** The reader's unsubscribe page, if there is a public address. */
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
  /** Deliveries are signed with `secret`: created if missing, returned once, never shown again. */
  hasSecret?: true;
  deliver(channel: z.infer<Schema>, letter: Letter, means: DeliveryMeans): Promise<DeliveryOutcome>;
}

export const channelKind = <Schema extends ChannelSettings>(kind: ChannelKind<Schema>): ChannelKind<Schema> => kind;

/** Where a webhook may go, as a digest keeps it. */
export const webAddress = z.url({
  protocol: /^https?$/,
  error: 'must be an address that begins with https:// or http://',
});
