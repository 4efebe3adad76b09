// What a report's file exports: the account in, a function from parsed arguments to the answer out.
import type { ReportHandlers, ReportId } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';

export type ReportHandler<K extends ReportId> = (account: ServiceAccount) => ReportHandlers[K];
