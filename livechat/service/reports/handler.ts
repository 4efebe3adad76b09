// What a report's file exports: the account in, a function from parsed arguments to the answer out.
import type { ReportHandlers, ReportId } from '#contract/reports.ts';
import type { Account } from '../account.ts';

export type Handler<K extends ReportId> = (account: Account) => ReportHandlers[K];
