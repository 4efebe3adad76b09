// Traces by OpenTelemetry: steps become spans, sent where the standard variables (OTEL_…) say. Loaded only when they name a receiver.
import { ProxyTracerProvider, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Span } from '@opentelemetry/api';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { steps, type Step } from '#warehouse/tracing.ts';
import { programVersion } from '../program-version.ts';
import { current } from './current.ts';
import { tracedResource } from './resource.ts';

/** A receiver that does not answer must not keep a command from ending. */
const ending_ms = 2000;

const server_error = 500;

const status_code = 'http.response.status_code';

/** Starts tracing; the result sends what is left and ends it. */
export function startTracing(command: string): () => Promise<void> {
  const sdk = new NodeSDK({
    // The detectors of the library tell arguments of the command line, user and machine.
    ...{ resource: tracedResource(command, programVersion), autoDetectResources: false },
    // Nothing but traces, and none that goes on in requests to others.
    ...{ metricReaders: [], logRecordProcessors: [], textMapPropagator: null },
  });
  sdk.start();
  const provider = trace.getTracerProvider();
  const own = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
  const tracer = own.getTracer('chatledger', programVersion);
  // TRICKY: other libraries would now add spans of their own, with attributes that nobody here has looked at.
  trace.disable();

  const open = new WeakMap<Step, Span>();
  steps.start.bindStore(current, (step) => {
    const kind = step.is_request ? SpanKind.SERVER : SpanKind.INTERNAL;
    const parent = current.getStore()?.context ?? ROOT_CONTEXT;
    const span = tracer.startSpan(step.name, { kind }, parent);
    open.set(step, span);
    return { context: trace.setSpan(parent, span), trace_id: span.spanContext().traceId };
  });
  steps.subscribe({
    start: () => undefined,
    end: () => undefined,
    asyncStart: () => undefined,
    error(step) {
      // Its message may quote what somebody wrote.
      const error = step.error instanceof Error ? step.error.name : 'Error';
      open.get(step)?.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    },
    asyncEnd(step) {
      const status = Number(step.attributes[status_code] ?? 0);
      const span = open.get(step)?.setAttributes(step.attributes);
      if (status >= server_error) span?.setStatus({ code: SpanStatusCode.ERROR });
      span?.end();
    },
  });
  return async () => {
    const late = Promise.withResolvers<void>();
    setTimeout(late.resolve, ending_ms).unref();
    await Promise.race([sdk.shutdown().catch(() => undefined), late.promise]);
  };
}
