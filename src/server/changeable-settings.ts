// Settings that admins may change on the page Settings while the program runs; the environment wins over that page.
import type { SettingDefinition } from './settings.ts';
import { product_name } from '#dashboards/brand.ts';
import { standardSql, wrongMemory, wrongRows, wrongSeconds, wrongSpill } from './sql-limit-settings.ts';
import { colour, cron, sender, shortLine, size, smtp, wholeNumber } from './setting-values.ts';

export const changeableSettings = {
  CHATLEDGER_NAME: {
    default: product_name,
    meaning: 'what the installation is called, on pages and in PDFs',
    takes_effect: 'with the next page or document',
    wrong: shortLine(40),
  },
  CHATLEDGER_ACCENT: {
    default: null,
    meaning:
      'colour of links, buttons and what is chosen, such as #0b5c96; changed until it can be read in light and in dark. Charts keep their colours',
    takes_effect: 'with the next page or document',
    wrong: colour,
  },
  CHATLEDGER_PULL_CRON: {
    default: '*/5 * * * *',
    meaning: 'when to pull (UTC)',
    takes_effect: 'immediately',
    wrong: cron,
  },
  CHATLEDGER_REQUESTS_PER_SECOND: {
    default: '5',
    meaning: 'pace towards the account (the embedded service is asked as fast as it answers)',
    takes_effect: 'with the next pull',
    wrong: wholeNumber(1, 1000),
  },
  CHATLEDGER_SETTLING_DAYS: {
    default: null,
    meaning:
      'for how many days after its end a day may still get ratings, tags and sales: figures of them are called settling so long, and the pull asks such days again. Without it that is measured, and seven days for the pull',
    takes_effect: 'with the next pull',
    wrong: wholeNumber(1, 30),
  },
  CHATLEDGER_SMTP_URL: {
    default: null,
    meaning:
      'mail server for digests, smtp://user:password@host:587 or smtps://…; without it digests go to the folder only',
    is_secret: true,
    takes_effect: 'immediately; for transcripts of the embedded service after a restart',
    wrong: smtp,
  },
  CHATLEDGER_MAIL_FROM: {
    default: null,
    meaning: 'who mails are from, such as Chatledger <reports@example.com>',
    takes_effect: 'immediately',
    wrong: sender,
  },
  CHATLEDGER_SNAPSHOT_SPACE: {
    default: '10GB',
    meaning:
      'what kept snapshots may take; the oldest that no digest names go first, then the others (Operations and `doctor` name their digests), the newest never',
    takes_effect: 'with the next pull',
    wrong: size,
  },
  CHATLEDGER_SQL_SECONDS: {
    default: standardSql.seconds,
    meaning:
      'how long a statement of the page SQL and `POST /api/sql` may run, for all who may run SQL or by role; one whose rows go into a file four times as long',
    takes_effect: 'with the next statement',
    wrong: wrongSeconds,
  },
  CHATLEDGER_SQL_ROWS: {
    default: standardSql.rows,
    meaning: 'how many rows its answer has at most, in the same way; a file has a hundred times as many',
    takes_effect: 'with the next statement',
    wrong: wrongRows,
  },
  CHATLEDGER_SQL_MEMORY: {
    default: standardSql.memory,
    meaning: 'what it may take in memory, in the same way; at most two statements run at once',
    takes_effect: 'with the next statement',
    wrong: wrongMemory,
  },
  CHATLEDGER_SQL_SPILL: {
    default: standardSql.spill,
    meaning:
      'what of it may lie on the disk of the data folder where memory does not suffice, in the same way; 0: nothing',
    takes_effect: 'with the next statement',
    wrong: wrongSpill,
  },
  CHATLEDGER_BACKUP_CRON: {
    default: '30 2 * * *',
    meaning:
      'when `start` makes a backup (UTC): before the first pull that is due after it, or at that time where a pull goes on',
    takes_effect: 'with the next pull',
    wrong: cron,
  },
  CHATLEDGER_BACKUP_KEEP: {
    default: '14',
    meaning: 'how many backups are kept; older ones are removed when a new one is whole',
    takes_effect: 'with the next backup',
    wrong: wholeNumber(1, 10_000),
  },
} as const satisfies Record<string, SettingDefinition>;
