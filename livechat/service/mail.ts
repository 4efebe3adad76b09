// Mails of the service: transcripts and verifications.

/** Hands a mail over; throws when the mail server did not take it. */
export type SendMail = (mail: { to: string; subject: string; text: string }) => Promise<void>;
