// How the embedded service sends mails: through the mail server of the settings, or not at all.
import type { ServiceOptions } from '#service/service.ts';
import type { Config } from './config.ts';

type SendTranscript = NonNullable<ServiceOptions['sendMail']>;

/** Empty without a mail server; throws the errors of the mail server. */
export function transcriptsOf({ mail }: Config): { sendMail?: SendTranscript } {
  if (!mail) return {};
  const { smtp_url, from } = mail;
  return {
    async sendMail({ to, subject, text }) {
      const { builtFrom, handOver } = await import('#digests/channels/smtp.ts');
      const outcome = await handOver(await builtFrom({ from, to, subject, text }), { smtp_url, from }, to);
      if (outcome.kind !== 'sent') throw new Error(`the mail server did not take it: ${outcome.reason}`);
    },
  };
}
