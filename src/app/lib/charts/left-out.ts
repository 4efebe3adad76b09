// Excludes unused parts of ECharts from the build: a tenth of what a page loads for its charts.
import type { Plugin } from 'vite';

/** Files of the pinned version and their replacements. */
const leftOut: Record<string, string> = {
  // Options of ECharts 2 to 4.
  'echarts/lib/preprocessor/backwardCompat.js': 'export default function () {}',
  // Drawing on a canvas: charts are SVG.
  'zrender/lib/canvas/graphic.js':
    'const none = () => {}; export { none as createCanvasPattern, none as brushSingle, none as brush, none as brushLoopFinalize }',
  // Axes of instants and of powers: time axes are labels of periods.
  'echarts/lib/scale/Time.js': 'export default class {} export const calcNiceForTimeScale = () => {}',
  'echarts/lib/scale/Log.js': 'export default class {}',
  // Data set transforms: panels provide their numbers directly.
  'echarts/lib/data/helper/transform.js':
    'const none = () => {}; export class ExternalSource {} export { none as registerExternalTransform, none as applyDataTransform }',
  // Animation and emphasis by style sheets: nothing moves.
  'zrender/lib/svg/cssAnimation.js':
    'export const EASING_MAP = {}; export const ANIMATE_STYLE_MAP = {}; export function createCSSAnimation() {}',
  'zrender/lib/svg/cssEmphasis.js': 'export function createCSSEmphasis() {}',
  'echarts/lib/chart/line/lineAnimationDiff.js': 'export default () => []',
  // Sectors of polar bars, shapes written as paths, the dark theme of ECharts, and its tooltips: ours are used.
  'zrender/lib/graphic/helper/roundSector.js': 'export function buildPath() {}',
  'echarts/lib/label/sectorLabel.js':
    'const none = () => {}; export { none as createSectorCalculateTextPosition, none as setSectorTextRotation }',
  'zrender/lib/tool/path.js':
    'const none = () => {}; export { none as createFromString, none as extendFromString, none as mergePath, none as clonePath }',
  'echarts/lib/theme/dark.js': 'export default {}',
  'echarts/lib/component/tooltip/seriesFormatTooltip.js': 'export function defaultSeriesFormatTooltip() {}',
  // Values between two values: nothing moves, so whatever would has its end at once.
  'zrender/lib/animation/Animator.js': `
    export const cloneValue = (value) => (Array.isArray(value) ? value.map(cloneValue) : value);
    export default class {
      constructor(target) { this.target = target }
      when(time, values) { Object.assign(this.target, values); return this }
      whenWithKeys(time, values, keys) { for (const key of keys) this.target[key] = values[key]; return this }
      delay() { return this }
      during() { return this }
      done(ended) { ended(); return this }
      aborted() { return this }
      start() { return this }
      stop() {}
    }`,
  // Words of a toolbox, of dates and of a series read aloud: ours are used.
  'echarts/lib/i18n/langZH.js': 'export default {}',
  'echarts/lib/i18n/langEN.js': 'export default {}',
  // Keyframe animations of custom series, loading spinners, drag and pinch, selections of ECharts 4.
  'echarts/lib/animation/customGraphicKeyframeAnimation.js':
    'const none = () => {}; export { none as applyKeyframeAnimation, none as stopPreviousKeyframeAnimationAndRestore }',
  'echarts/lib/loading/default.js': 'export default function () {}',
  'zrender/lib/mixin/Draggable.js': 'export default class {}',
  'zrender/lib/core/GestureMgr.js': 'export class GestureMgr { clear() {} recognize() {} }',
  'echarts/lib/legacy/dataSelectAction.js':
    'const none = () => {}; export { none as createLegacyDataSelectAction, none as handleLegacySelectEvents }',
  // Aligned ticks of two axes: pictures never have two value axes.
  'echarts/lib/coord/axisAlignTicks.js': 'export function scaleCalcAlign() {}',
  // Styles of custom series as ECharts 4 had them.
  'echarts/lib/util/styleCompat.js':
    'const none = () => {}; export { none as isEC4CompatibleStyle, none as convertFromEC4CompatibleStyle, none as convertToEC4StyleForCustomSerise, none as warnDeprecated }',
  // Stable sorting: browsers provide it.
  'zrender/lib/core/timsort.js':
    'export default function sort(list, compare, from = 0, to = list.length) { list.slice(from, to).sort(compare).forEach((one, at) => (list[from + at] = one)) }',
  // Shapes of custom series that no picture has.
  'zrender/lib/graphic/CompoundPath.js': 'export default class {}',
  'zrender/lib/graphic/shape/BezierCurve.js': 'export default class {}',
  // Events of some parts of a chart only: ours are asked which part they are of.
  'echarts/lib/util/ECEventProcessor.js': 'export class ECEventProcessor {}',
  // Ticks between ticks, and round ends of polar bars.
  'echarts/lib/scale/minorTicks.js': 'export const getMinorTicks = () => []',
  'echarts/lib/util/shape/sausage.js': 'export default class {}',
  // Custom series on maps, calendars, polar and single axes.
  'echarts/lib/coord/geo/prepareCustom.js': 'export default function () {}',
  'echarts/lib/coord/calendar/prepareCustom.js': 'export default function () {}',
  'echarts/lib/coord/polar/prepareCustom.js': 'export default function () {}',
  'echarts/lib/coord/single/prepareCustom.js': 'export default function () {}',
};

/** Colours by name: themes have their numbers. */
const colours = { file: 'zrender/lib/tool/color.js', table: /var kCSSColorTable = \{[^}]*\};/ };
const noColours = 'var kCSSColorTable = { transparent: [0, 0, 0, 0] };';

/** @throws when a file is not met any more, so that an update of ECharts is noticed. */
export function leaveOut(): Plugin {
  const met = new Set<string>();
  return {
    name: 'leave-out-of-echarts',
    apply: 'build',
    load(id) {
      const file = Object.keys(leftOut).find((it) => id.split('?')[0]?.endsWith(`/${it}`));
      if (file === undefined) return null;
      met.add(file);
      return leftOut[file];
    },
    transform(code, id) {
      if (!id.split('?')[0]?.endsWith(`/${colours.file}`)) return null;
      if (!colours.table.test(code)) this.error(`${colours.file} has no table of colours any more: see left-out.ts`);
      return { code: code.replace(colours.table, noColours), map: null };
    },
    generateBundle() {
      const gone = Object.keys(leftOut).filter((file) => !met.has(file));
      if (this.environment.name === 'client' && gone.length)
        this.error(`no longer part of ECharts, take them out of left-out.ts: ${gone.join(', ')}`);
    },
  };
}
