// The numbers of a panel as a file to open elsewhere: CSV or XLSX, the same sheet that a digest has.
import type { Hono } from 'hono';
import { contextOf } from './context.ts';
import { routed } from './contract/endpoint.ts';
import { downloadPanel } from './contract/metrics.ts';
import type { ApiDeps } from './deps.ts';
import { assertNamed, onlyOne, questionIn, wantedOf, type QueryTexts } from './question.ts';
import { judgedFor } from './targets.ts';
import { inBusinessHours } from '#dashboards/business-hours.ts';
import { namesIn } from '#digests/names.ts';
import { panelFile, panelNamed, splitAs, type PanelFileKind } from '#digests/panel-file.ts';
import { metricOf } from '#warehouse/definitions/metrics.ts';
import { Refused } from '#warehouse/errors.ts';

const types: Readonly<Record<PanelFileKind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Whether waits count in business hours only. Errors: Refused. */
function hoursIn(given: QueryTexts[string]): boolean {
  const hours = onlyOne({ hours: given }, 'hours');
  if (hours === undefined || hours === 'business') return hours !== undefined;
  throw new Refused('hours', `hours=${hours} is none: business, or nothing for all hours`, ['business']);
}

const names = Object.keys(downloadPanel.query.shape);

export function addPanels(app: Hono, deps: ApiDeps): void {
  app.get(routed(downloadPanel), async (c) => {
    const { dashboard, file } = c.req.param();
    const named = panelNamed(dashboard, file);
    const asked = questionIn(new URL(c.req.url).searchParams);
    assertNamed(asked, names);
    const { hours, ...parameters } = asked;
    const shown = hoursIn(hours) ? inBusinessHours(named.panel) : named.panel;
    const wanted = wantedOf(metricOf(shown.metric), parameters);
    const { open } = await contextOf(deps, c, parameters);
    const context = await open();
    const titles = await namesIn(context);
    const panel = splitAs(shown, wanted.split, titles['variable']);
    const judged = await judgedFor(deps, wanted, context);
    const { name, bytes } = await panelFile({ ...named, panel }, wanted, context, titles, judged);
    const plain = name.replace(/[^\w.-]/g, '_');
    c.header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`);
    c.header('cache-control', 'no-store');
    return c.body(new Uint8Array(bytes), 200, { 'content-type': types[named.kind] });
  });
}
