// Which chats were decoded under other rules of redaction than the present ones, as the newest snapshot has them.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fingerprintOf, type Rules } from '#etl/redact/rules.ts';
import { chatsByRedaction } from '#warehouse/read/redactions.ts';
import { openWarehouse, writerLimits } from '#warehouse/store/open.ts';
import { newestName } from '#warehouse/store/snapshot.ts';
import type { Folder } from '../folder.ts';

interface RedactionStatus {
  chats: number;
  /** Of these, how many were decoded under other rules, or under none although there are rules now. */
  under_others: number;
}

/** Errors: those of openWarehouse. */
export async function redactionStatus({ published }: Folder, rules: Rules): Promise<RedactionStatus> {
  const file = join(published, newestName);
  if (!existsSync(file)) return { chats: 0, under_others: 0 };
  const engine = await openWarehouse(file, { readOnly: true, ...writerLimits });
  try {
    const decoded = await chatsByRedaction(engine);
    const present = fingerprintOf(rules);
    const sum = (of: typeof decoded): number => of.reduce((total, { chats }) => total + chats, 0);
    return { chats: sum(decoded), under_others: sum(decoded.filter(({ redaction }) => redaction !== present)) };
  } finally {
    await engine.close();
  }
}

/** The rules in words. */
export function wordsOf({ known, patterns }: Rules): string {
  const names = [...known, ...patterns.map(({ name }) => `'${name}'`)];
  return names.length > 0 ? names.join(', ') : 'nothing';
}

export const sentenceOf = ({ chats, under_others }: RedactionStatus): string =>
  under_others === 0
    ? `none of ${chats} chats was decoded under other rules`
    : `${under_others} of ${chats} chats were decoded under other rules: 'npx chatledger rebuild' applies the present ones to all`;
