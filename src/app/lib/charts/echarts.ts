// The parts of ECharts that the pictures use, loaded only when the first chart is drawn; tooltips are drawn by Tooltip.svelte.
import { BarChart, CustomChart, LineChart } from 'echarts/charts';
import { GridSimpleComponent } from 'echarts/components';
import { init, setPlatformAPI, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';
import { measureText } from './measure-text.ts';

use([BarChart, CustomChart, LineChart, GridSimpleComponent, SVGRenderer]);
setPlatformAPI({ measureText });

export { init };
