// `chatledger metrics`: the catalogue on the terminal.
import { catalogue } from '#warehouse/definitions/metrics.ts';
import { out, outJson } from '../terminal.ts';

export function metrics({ json }: { json?: boolean }): void {
  const all = catalogue();
  if (json) return outJson({ metrics: all }, 2);
  for (const { id, title, kind, version, definition, measures, splits, grains } of all) {
    const named = Object.entries(measures).map(([name, { unit }]) => `${name} (${unit})`);
    out(
      `${id} v${version} [${kind}] ${title}`,
      `  ${definition}`,
      `  measures: ${named.join(', ')}`,
      `  splits: ${splits.join(', ') || 'none'}`,
      `  grains: ${grains.join(', ')}`,
      '',
    );
  }
}
