// The way back from a page behind the dashboards: first the page with the number, last the nearest one.
import type { ResolvedPathname } from '$app/types';
import type { Metric } from '#api/contract/metrics.ts';
import { words } from '#lib/words.ts';
import { dashboardAt, trailOf } from './back.ts';
import { textOf } from './segment.ts';

export function crumbsOf(search: string, metrics: Metric[]): { href: ResolvedPathname; title: string }[] {
  const crumbs = trailOf(search).flatMap(({ path, query: own }) => {
    // TRICKY: addresses made by resolve() are relative on the server and absolute in the browser; paths are compared as written.
    const href = `${path}${own.size ? `?${own}` : ''}` as ResolvedPathname;
    const dashboard = dashboardAt(path);
    if (dashboard) return [{ href, title: dashboard.title }];
    const title = words.placeTitles[path];
    if (title) return [{ href, title }];
    if (path.startsWith('/board/')) return [{ href, title: words.board }];
    if (path.startsWith('/agent/')) return [{ href, title: textOf(path.slice('/agent/'.length)) }];
    if (path.startsWith('/why/')) return [{ href, title: words.panel.why }];
    const metric = metrics.find((it) => path === `/receipt/${it.id}`);
    return metric ? [{ href, title: metric.title }] : [];
  });
  return crumbs.reverse();
}
