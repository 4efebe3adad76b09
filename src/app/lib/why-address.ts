// The address of "Why?": of a number on a page, or of a part of one.
import { resolve } from '$app/paths';
import type { ResolvedPathname } from '$app/types';
import { pointedQuery, type Pointed } from '#dashboards/why/asked-about.ts';
import { segment } from '#lib/drill/segment.ts';

/** `back` is the address of the page that shows the number. */
export function whyAddress(pointed: Pointed, back: string): ResolvedPathname {
  const query = pointedQuery(pointed);
  query.set('back', back);
  return `${resolve('/why/[metric]', { metric: segment(pointed.cell.metric) })}?${query}` as ResolvedPathname;
}
