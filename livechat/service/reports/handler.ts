// Interface of a report's file: takes the account, returns a function from parsed arguments to the answer.
import type { ReportHandlers, ReportId } from '#contract/reports.ts';
import type { ServiceAccount } from '../account.ts';

export type ReportHandler<K extends ReportId> = (account: ServiceAccount) => ReportHandlers[K];
