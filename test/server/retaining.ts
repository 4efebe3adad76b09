// `chatledger retain` in a process of its own, with days instead of months, so that no clock matters: `retaining.ts TEXTS NAMES`,
// with a dash for what stays.
import type { Marks } from '#etl/erased/old.ts';
import { erasingOf } from '../../src/server/commands/erase.ts';
import { retain } from '../../src/server/erase/retain.ts';
import type { DueRetention } from '../../src/server/erased/due.ts';

const [texts = '-', names = '-'] = process.argv.slice(2);

/** Days that lie after the mark. */
const begunBefore = (mark: string | undefined, before: string) =>
  before === '-' || (mark ?? '') >= before ? undefined : { from: mark ?? null, before };
const due = (marks: Marks): DueRetention => ({
  texts: begunBefore(marks.texts, texts),
  names: begunBefore(marks.names, names),
});

process.umask(0o077);
const retention = await retain({ ...erasingOf('retain'), progress: () => undefined }, due, 'a test');
process.stdout.write(`${JSON.stringify(retention ?? null)}\n`);
