// The trace of the work under way. It loads nothing: without a tracer there is none.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '@opentelemetry/api';

/** The step that is under way, as the tracer knows it. */
export const current = new AsyncLocalStorage<{ context: Context; trace_id: string }>();

export const traceId = (): string | undefined => current.getStore()?.trace_id;
