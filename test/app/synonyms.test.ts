// Other names of metrics are of metrics that there are.
import { expect, it } from 'vitest';
import { metrics } from '#warehouse/definitions/metrics.ts';
import { metricSynonyms } from '#lib/frame/metric-synonyms.ts';

it('every synonym is of a metric', () => {
  const known = metrics.map(({ id }) => id);
  expect(Object.keys(metricSynonyms).filter((id) => !known.includes(id))).toEqual([]);
});
