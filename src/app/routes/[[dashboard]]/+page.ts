// Reads the filters from the address and asks what the dashboard's panels need.
import { browser } from '$app/env';
import { error } from '@sveltejs/kit';
import { dashboards } from '#dashboards/dashboards.ts';
import { readFilters } from '#lib/filters.ts';
import { readAgreement, type Agreement } from '#lib/drill/agreement.ts';
import { firstPaint } from '#lib/first-paint.ts';
import { askPanels, type Asked } from '#lib/panels.ts';
import { words } from '#lib/words.ts';
import type { PageLoad } from './$types.js';

export const load: PageLoad = async ({ fetch, params, url, parent }) => {
  const dashboard = dashboards.find((it) => it.path === (params.dashboard ?? ''));
  if (!dashboard) error(404, words.failure.notFound);
  const { account, metrics, health } = await parent();
  const since = [account?.since ?? '', health.pull.pulled_since ?? ''].sort()[1] ?? '';
  const filters = readFilters(url.searchParams, account?.timezone ?? 'UTC', since, new Date());
  if (!account) return { dashboard, filters, asked: [] as Asked[], agreement: null };
  const catalogue = new Map(metrics.map((metric) => [metric.id, metric]));
  const agreement: Promise<Agreement | null> = readAgreement(fetch, filters);
  const asked = askPanels(fetch, dashboard, account.id, filters, catalogue);
  if (browser && firstPaint.isOver) return { dashboard, filters, asked: asked as Asked[], agreement };
  const known: Asked[] = await Promise.all(
    asked.map(async ({ panel, outcomes }) => ({ panel, outcomes: await outcomes })),
  );
  return { dashboard, filters, asked: known, agreement: await agreement };
};
