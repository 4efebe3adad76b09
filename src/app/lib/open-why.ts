// Opens "Why?" over the page that shows the number; its address is that of a page of its own, and Back leads to the number.
import { goto } from '$app/navigation';
import { page } from '$app/state';
import type { ResolvedPathname } from '$app/types';

export function openWhy(href: ResolvedPathname): void {
  const depth = (page.state.why?.depth ?? 0) + 1;
  void goto(href, { shallow: true, reset: false, state: { why: { href, depth } } });
}

/** Of a link to it: a click that would open another tab or window does so. */
export function whyClicked(event: MouseEvent, href: ResolvedPathname): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  openWhy(href);
}
