// The standard variables of traces: whether they name a receiver, and values that the library would pass over in silence.
const known: Readonly<Record<string, readonly string[]>> = {
  OTEL_TRACES_EXPORTER: ['otlp', 'console', 'none'],
  OTEL_EXPORTER_OTLP_PROTOCOL: ['http/protobuf', 'http/json', 'grpc'],
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: ['http/protobuf', 'http/json', 'grpc'],
  OTEL_TRACES_SAMPLER: ['', 'parentbased_'].flatMap((how) =>
    ['always_on', 'always_off', 'traceidratio'].map((name) => how + name),
  ),
};

type Variables = Readonly<Record<string, string | undefined>>;

export function isReceiverNamed(variables: Variables): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = variables;
  const isOff = variables.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || variables.OTEL_TRACES_EXPORTER === 'none';
  return Boolean(all || traces) && !isOff;
}

/** Sentences about what a receiver that is named would never get. */
export function receiverComplaints(variables: Variables): string[] {
  const complaints: string[] = [];
  for (const name of ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']) {
    const given = variables[name]?.trim();
    const protocol = given ? URL.parse(given)?.protocol : 'http:';
    if (protocol !== 'http:' && protocol !== 'https:')
      complaints.push(`${name} is no address that begins with http:// or https://, like http://collector:4318`);
  }
  for (const [name, values] of Object.entries(known))
    for (const given of (variables[name] ?? '').split(name === 'OTEL_TRACES_EXPORTER' ? ',' : '\n')) {
      const value = given.trim();
      if (value !== '' && !values.includes(value))
        complaints.push(
          `${name}=${value} is not known: it can be ${values.slice(0, -1).join(', ')} or ${values.at(-1)}`,
        );
    }
  return complaints;
}
