// The numbers of a panel as a file to open elsewhere: CSV or XLSX, the same sheet that a digest has.
import { z, type OpenAPIHono } from '@hono/zod-openapi';
import { contextOf } from './context.ts';
import type { ApiDeps } from './deps.ts';
import { Parameters, problem } from './metrics.ts';
import { questionIn, wantedOf } from './question.ts';
import { panelFile, panelNamed, type Kind } from '#digests/panel-file.ts';
import { metricOf } from '#warehouse/metrics.ts';

const types: Readonly<Record<Kind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

const asked = { from: true, to: true, timezone: true, grain: true, group: true, agent: true, tag: true } as const;
const query = Parameters.pick({ ...asked, compare: true, target: true, account: true, as_of: true });

export function addPanels(app: OpenAPIHono, deps: ApiDeps): void {
  app.openAPIRegistry.registerPath({
    method: 'get',
    path: '/panels/{dashboard}/{file}',
    summary: 'The numbers of a panel, unrounded, as a file',
    request: {
      params: z.object({
        dashboard: z.string().openapi({ description: 'Its page, such as `overview`' }),
        file: z.string().openapi({ description: 'Its id with `.csv` or `.xlsx`, such as `volume.csv`' }),
      }),
      query,
    },
    responses: {
      200: { description: 'One row per period and split', content: { 'text/csv': {}, [types.xlsx]: {} } },
      400: problem('There is no such panel, or the question has no answer; the choices say what has'),
      503: problem('Nothing is published yet'),
    },
  });
  app.get('/panels/:dashboard/:file', async (c) => {
    const { dashboard, file } = c.req.param();
    const named = panelNamed(dashboard, file);
    const parameters = questionIn(new URL(c.req.url).searchParams);
    const { open } = await contextOf(deps, c, parameters);
    const { name, bytes } = await panelFile(named, wantedOf(metricOf(named.panel.metric), parameters), await open());
    const plain = name.replace(/[^\w.-]/g, '_');
    c.header('content-disposition', `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`);
    c.header('cache-control', 'no-store');
    return c.body(new Uint8Array(bytes), 200, { 'content-type': types[named.kind] });
  });
}
