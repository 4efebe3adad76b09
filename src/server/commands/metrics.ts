// `chatledger metrics`: the catalogue on the terminal.
import { catalogue } from '#warehouse/metrics.ts';

export function metrics({ json }: { json?: boolean }): void {
  const all = catalogue();
  if (json) return void process.stdout.write(`${JSON.stringify({ metrics: all }, null, 2)}\n`);
  for (const { id, title, kind, version, definition, measures, splits, grains } of all) {
    const named = Object.entries(measures).map(([name, { unit }]) => `${name} (${unit})`);
    process.stdout.write(
      `${id} v${version} [${kind}] ${title}\n  ${definition}\n  measures: ${named.join(', ')}\n` +
        `  splits: ${splits.join(', ') || 'none'}\n  grains: ${grains.join(', ')}\n\n`,
    );
  }
}
