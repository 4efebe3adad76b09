// The texts of the page of settings.
import type { Setting } from '#api/contract/settings.ts';

/** A field of a form: its label, what stands below it, and choices by value. */
export interface FieldWords {
  label: string;
  hint: string;
  choices?: Readonly<Record<string, string>>;
  isColour?: boolean;
}

const every = {
  '*/5 * * * *': 'Every 5 minutes',
  '*/15 * * * *': 'Every 15 minutes',
  '*/30 * * * *': 'Every 30 minutes',
  '0 * * * *': 'Every hour',
  '0 */6 * * *': 'Every 6 hours',
  '0 3 * * *': 'Every day at 03:00 UTC',
};

const nightly = {
  '30 2 * * *': 'Every day at 02:30 UTC',
  '30 14 * * *': 'Every day at 14:30 UTC',
  '30 2 * * 0': 'Every Sunday at 02:30 UTC',
};

export const settingsWords = {
  title: 'Settings',
  sentence: 'What admins can change while the program runs, and a list of all settings.',
  save: 'Save',
  saving: 'Saving…',
  saved: (effects: readonly string[]) => `Saved. It takes effect ${effects.join(' and ')}.`,
  unchanged: 'Nothing was changed.',
  failed: 'The settings could not be loaded.',
  closed:
    'Nothing can be changed here: whoever runs this installation has closed the page (CHATLEDGER_SETTINGS_PAGE=off). It shows what is in force.',
  own: 'Another schedule',
  cron: 'As cron, in UTC: minute, hour, day of the month, month, day of the week',
  standard: (value: string) => `Default: ${value}.`,
  none: 'Default: not set.',
  fixed: {
    environment: 'Set by the environment, which wins: change it there and restart.',
    '.env': 'Set by the file .env, which wins: change it there and restart.',
    file: 'Set by a secret file, which wins: change it there and restart.',
  } as Partial<Record<Setting['source'], string>>,
  secret: {
    set: 'It is set. Leave this empty to keep it.',
    remove: 'Remove it',
  },
  groups: {
    appearance: {
      title: 'Appearance',
      sentence: 'How this installation looks to its users, on pages and in PDFs.',
      fields: {
        CHATLEDGER_NAME: { label: 'Name', hint: 'Up to 40 characters.' },
        CHATLEDGER_ACCENT: {
          label: 'Accent colour',
          hint: 'A colour like #0b5c96, darkened or lightened until text can be read. Charts keep their colours.',
          isColour: true,
        },
      },
    },
    pulls: {
      title: 'Pulls',
      sentence: 'How often Chatledger asks the account for what is new, and how fast.',
      fields: {
        CHATLEDGER_PULL_CRON: { label: 'Schedule', hint: '', choices: every },
        CHATLEDGER_REQUESTS_PER_SECOND: {
          label: 'Requests a second',
          hint: 'The embedded service is asked as fast as it answers.',
        },
        CHATLEDGER_SETTLING_DAYS: {
          label: 'Settling days',
          hint: 'From 1 to 30: how long after its end a day may still get ratings, tags and sales. Empty: as measured.',
        },
      },
    },
    mail: {
      title: 'Mail',
      sentence:
        'The server that sends scheduled reports and links for new passwords. Without one, reports go to the data folder.',
      fields: {
        CHATLEDGER_SMTP_URL: {
          label: 'Mail server',
          hint: 'smtp://user:password@host:587 or smtps://…, with special characters percent-encoded.',
        },
        CHATLEDGER_MAIL_FROM: { label: 'Sender', hint: 'Such as Chatledger <reports@example.com>.' },
      },
    },
    kept: {
      title: 'Snapshots and backups',
      sentence: 'How much of the past is kept, and how often a backup is made where a folder for backups is set.',
      fields: {
        CHATLEDGER_SNAPSHOT_SPACE: {
          label: 'Space of kept snapshots',
          hint: 'A size like 10GB. The oldest go first, those that reports name last.',
        },
        CHATLEDGER_BACKUP_CRON: { label: 'Backups', hint: '', choices: nightly },
        CHATLEDGER_BACKUP_KEEP: { label: 'Backups that are kept', hint: '' },
      },
    },
    sql: {
      title: 'SQL',
      sentence:
        'What one statement may take: a value for all who may run SQL, or one for each role, such as analyst=60, admin=240.',
      fields: {
        CHATLEDGER_SQL_SECONDS: { label: 'Seconds', hint: 'A query whose rows go into a file has four times as long.' },
        CHATLEDGER_SQL_ROWS: { label: 'Rows of an answer', hint: 'A file has a hundred times as many.' },
        CHATLEDGER_SQL_MEMORY: { label: 'Memory', hint: 'Sizes like 512MB. At most two statements run at once.' },
        CHATLEDGER_SQL_SPILL: {
          label: 'Room on the disk',
          hint: 'Disk for what does not fit into memory, such as 2GB; 0 means none.',
        },
      },
    },
  } as Record<string, { title: string; sentence: string; fields: Readonly<Record<string, FieldWords>> }>,
  colour: (label: string) => `${label} from a picker`,
  preview: {
    title: 'How the accent looks',
    themes: { light: 'Light', dark: 'Dark' },
    link: 'a link',
    button: 'Button',
  },
  logo: {
    label: 'Logo',
    hint: 'A PNG of at most 40 kB, 16 to 1024 pixels wide and high. It is shown 24 pixels high and at most 120 wide.',
    preview: { light: 'The logo on light', dark: 'The logo on dark' },
    save: 'Save the logo',
    remove: 'Remove the logo',
    none: 'Choose a file first.',
    large: 'Logo must have at most 40 kB',
    saved: 'Saved. It takes effect with the next page or document.',
    removed: 'Removed.',
  },
  ownPace: (accounts: string) => `Accounts with a pace of their own in chatledger.json keep it: ${accounts}.`,
  pace: (account: string, pace: number) => `${account} (${pace} a second)`,
  mailOff: 'Save a mail server and a sender first; then a test can be sent.',
  settling:
    'How long days settle is measured from how late ratings, tags and sales came in for this account, unless it is set here. Figures of the chats themselves settle within a day.',
  all: {
    title: 'All settings',
    sentence:
      'Where a change needs a restart, the variable is set in the environment or in the file .env. Values of secrets are never shown.',
    onlySet: 'Only those that are set',
    heads: ['Setting', 'Value', 'Default', 'Set by', 'Takes effect'],
    unset: 'not set',
    restart: 'after a restart',
    sources: {
      environment: 'environment',
      '.env': '.env',
      file: 'secret file',
      page: 'this page',
      default: 'default',
      unset: '',
    } satisfies Record<Setting['source'], string>,
  },
};
