// Draws the chart options of the pages as SVG, on the server: the same picture, without a browser.
import { BarChart, CustomChart, LineChart } from 'echarts/charts';
import { GridComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { drawable, withoutMarks } from '#dashboards/pictures/drawable.ts';
import type { Chart } from '#dashboards/pictures/picture.ts';

use([BarChart, CustomChart, LineChart, GridComponent, SVGRenderer]);

/** An SVG document of `width` pixels and of the chart's own height. */
export function drawn(picture: Chart, width: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: picture.height });
  try {
    chart.setOption({ ...drawable(picture), animation: false });
    return withoutMarks(chart.renderToSVGString({ useViewBox: true }));
  } finally {
    chart.dispose();
  }
}
