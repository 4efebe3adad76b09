// Who sends the traces: the program, its version and command, and what OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME add.
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  type Resource,
} from '@opentelemetry/resources';

export const tracedResource = (command: string, version: string): Resource =>
  defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': 'chatledger',
        'service.version': version,
        'chatledger.command': command,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
