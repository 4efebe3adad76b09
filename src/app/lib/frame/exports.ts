// The files offered by the current page: a dashboard's document and the numbers of its panels; elsewhere the page's download links.
import type { Account } from '#api/contract/accounts.ts';
import type { Dashboard, Panel } from '#dashboards/panel.ts';
import { pdfAddress } from '#lib/digests/page-pdf.ts';
import type { Filters } from '#lib/filters.ts';
import { panelFile } from '#lib/panel-files.ts';

interface Export {
  name: string;
  href: string;
}

/** What a dashboard provides to its page. */
export interface OnScreen {
  dashboard?: Dashboard;
  filters?: Filters;
  account?: Account | null;
  asked?: { panel: Panel }[];
  locale?: string;
}

export function exportsOf({ dashboard, filters, account, asked = [], locale = 'en-GB' }: OnScreen): Export[] {
  if (!dashboard || !filters || !account) return linked();
  const numbers = asked
    .filter(({ panel }) => panel.picture !== 'tile')
    .flatMap(({ panel }) =>
      (['csv', 'xlsx'] as const).flatMap((kind) => {
        const href = panelFile(kind, panel, dashboard.path, account, filters);
        return href === undefined ? [] : [{ name: `${panel.title}, ${kind.toUpperCase()}`, href }];
      }),
    );
  return [{ name: `${dashboard.title}, PDF`, href: pdfAddress(dashboard.id, account.id, filters, locale) }, ...numbers];
}

const linked = (): Export[] =>
  [...document.querySelectorAll<HTMLAnchorElement>('main a[download]')].map((link) => ({
    name: link.textContent.trim() || link.title,
    href: link.href,
  }));

/** Downloads a file; a document opens in a new tab. */
export function keep(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  if (/\.pdf(\?|$)/.test(href)) link.target = '_blank';
  else link.download = '';
  link.rel = 'external';
  link.click();
}
