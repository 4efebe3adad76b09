// Steps of the work that a tracer may follow: a question, a pull, a publication. Without one they cost nothing, and nothing is kept.
import { tracingChannel } from 'node:diagnostics_channel';

/** Of words that are the program's own: no texts, names, addresses or secrets. */
type StepAttributes = Record<string, string | number | boolean>;

export interface Step {
  /** Such as `question total_chats`. */
  name: string;
  /** More may be added until it ends. */
  attributes: StepAttributes;
  /** It answers somebody else's request. */
  is_request?: boolean;
}

export const steps = tracingChannel<unknown, Step>('chatledger.step');

/** `work` as a step, within the step that it is part of. */
export async function traced<T>(step: Step, work: (attributes: StepAttributes) => Promise<T>): Promise<T> {
  if (!steps.hasSubscribers) return work(step.attributes);
  return steps.tracePromise(async () => work(step.attributes), step);
}
