// Opens "Why?" over the page of the number; it has its own address, and Back returns to the number.
import { goto } from '$app/navigation';
import { page } from '$app/state';
import type { ResolvedPathname } from '$app/types';

export function openWhy(href: ResolvedPathname): void {
  const depth = (page.state.why?.depth ?? 0) + 1;
  void goto(href, { shallow: true, reset: false, state: { why: { href, depth } } });
}

/** Handles clicks on a link to it; modified clicks still open a new tab or window. */
export function whyClicked(event: MouseEvent, href: ResolvedPathname): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  event.preventDefault();
  openWhy(href);
}
