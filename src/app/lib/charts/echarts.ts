// The parts of ECharts that the pictures use, loaded only when the first chart is drawn.
import { BarChart, CustomChart, LineChart } from 'echarts/charts';
import { GridComponent, TooltipComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([BarChart, CustomChart, LineChart, GridComponent, TooltipComponent, SVGRenderer]);

export { init };
