// Reports about the queue: who entered a chat is recomputed, who left is stored.
import type { Each } from '#contract/reports.ts';
import type { Row } from '#warehouse/engine.ts';
import { rounded, whole } from './rounding.ts';
import type { ReportShape } from './period-answer.ts';

export const queuedVisitors: ReportShape<'queued_visitors'> = {
  each: (row) => ({
    queued: { count: whole(row.entered_chat) + whole(row.left_queue) },
    left_queue: { count: whole(row.left_queue) },
    entered_chat: { count: whole(row.entered_chat) },
  }),
};

export const waitingTimes: ReportShape<'waiting_times'> = {
  each: (row) => ({
    // For a group unknown to the source nobody left the queue, so that everybody who entered counts.
    queued: summary(row, (row.queued_count ?? null) === null ? 'entered_chat' : 'queued'),
    left_queue: summary(row, 'left_queue'),
    entered_chat: summary(row, 'entered_chat'),
  }),
};

function summary(row: Row, name: 'queued' | 'left_queue' | 'entered_chat'): Each<'waiting_times'>['queued'] {
  const seconds = (measure: string) => ({ seconds: rounded(Number(row[`${name}_${measure}`] ?? 0), 0) });
  return { count: whole(row[`${name}_count`]), min: seconds('min'), max: seconds('max'), average: seconds('average') };
}
