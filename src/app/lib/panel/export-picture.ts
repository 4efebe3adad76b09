// Exports a panel as an SVG or PNG file: title, sentence, legend, charts or the numbers of a tile, their description, dates and source.
import { page } from '$app/state';
import type { Panel } from '#dashboards/panel.ts';
import { fileName } from '#dashboards/file-name.ts';
import { dayName } from '#dashboards/periods.ts';
import { drawable, withoutMarks } from '#dashboards/pictures/drawable.ts';
import type { Chart, Picture } from '#dashboards/pictures/picture.ts';
import type { TileFace } from '#dashboards/pictures/tile.ts';
import * as themes from '#dashboards/theme.ts';
import type { Theme } from '#dashboards/theme.ts';
import { init } from '#lib/charts/echarts.ts';
import type { Account } from '#api/contract/accounts.ts';
import type { Health } from '#api/contract/health.ts';
import type { Filters } from '#lib/filters.ts';
import { brand } from '#lib/frame/brand.ts';
import { clock } from '#lib/instants.ts';
import { shownTheme } from '#lib/shown-theme.svelte.ts';
import { words } from '#lib/words.ts';
import { pictureWords } from './actions-words.ts';
import { narrowedTexts } from './narrowed.ts';
import { fontFace, keyOf, Paper } from './paper.ts';
import { sparkLine } from './spark.ts';

interface KeptPicture {
  panel: Panel;
  /** A picture, or the numbers of a tile. */
  shown: Picture | TileFace;
  filters: Filters;
  account: Account;
  locale: string;
  source: string;
}

const WIDTH = 960;
const EDGE = 32;
const SCALE = 2;

/** Hands the file to the browser to keep. Errors: when the browser cannot draw it. */
export async function keepPicture(kind: 'svg' | 'png', kept: KeptPicture): Promise<void> {
  const { svg, height } = composed(kept, kind === 'png' ? await fontFace() : '');
  const content = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await painted(svg, height);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName(kept.account.id, kept.panel.title, kept.filters.from, kept.filters.to, kind);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function composed({ panel, shown, filters, account, locale, source }: KeptPicture, font: string) {
  const theme = themes[shownTheme.name];
  const paper = new Paper(WIDTH, EDGE, theme);
  paper.text(panel.title, 20, theme.text, 600);
  paper.text([panel.sentence, words.panel.unit[panel.unit]].filter(Boolean).join(' '), 14, theme.muted);
  paper.space(8);
  if ('charts' in shown) setCharts(paper, shown, theme);
  else setNumbers(paper, shown, theme);
  paper.text(captionOf(filters, account, locale, source), 13, theme.muted);
  return paper.document(panel.title, shown.summary, font);
}

function setCharts(paper: Paper, { key, charts, summary }: Picture, theme: Theme): void {
  if (key.length) paper.row(keyOf(key));
  for (const chart of charts) {
    if (charts.length > 1 && chart.title) paper.text(chart.title, 14, theme.text, 600);
    paper.drawing(drawn(chart, WIDTH - 2 * EDGE), chart.height);
  }
  paper.space(8);
  paper.text(summary, 13, theme.muted);
}

const SPARK = 72;

function setNumbers(paper: Paper, { figures, basis, note, spark }: TileFace, theme: Theme): void {
  for (const { text, change, reason } of figures) {
    paper.text(text, 40, theme.text, 600);
    if (change ?? reason) paper.text(change?.text ?? reason ?? '', 14, theme.muted);
    paper.space(4);
  }
  const behind = [basis, note].filter(Boolean).join(' · ');
  if (behind) paper.text(behind, 14, theme.muted);
  paper.space(8);
  if (spark.length < 2) return;
  const { path, dots } = sparkLine(spark, WIDTH - 2 * EDGE, SPARK);
  const line = `fill="none" stroke="${theme.series[0]}" stroke-linecap="round" stroke-linejoin="round"`;
  const points = dots.map(({ x, y }) => `<path d="M${x} ${y}h.01" ${line} stroke-width="5"/>`);
  paper.drawing(`<path d="${path}" ${line} stroke-width="2"/>${points.join('')}`, SPARK);
}

/** Dates, zone and filters, the data source, the account and the time. */
function captionOf(filters: Filters, account: Account, locale: string, source: string): string {
  const { from, to, timezone } = filters;
  const dates =
    from === to ? dayName(from, locale, true) : `${dayName(from, locale, true)} – ${dayName(to, locale, true)}`;
  const narrowed = narrowedTexts(filters, account);
  const { health } = page.data as { health: Health };
  const published = clock(health.snapshot?.published_at ?? '', timezone, locale, new Date(0));
  const made = pictureWords.source(account.id, published, brand().name);
  return [`${dates}, ${timezone}`, ...narrowed, source, made].filter(Boolean).join(' · ');
}

function drawn(picture: Chart, width: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height: picture.height });
  try {
    chart.setOption({ ...drawable(picture), animation: false });
    return withoutMarks(chart.renderToSVGString());
  } finally {
    chart.dispose();
  }
}

function painted(svg: string, height: number): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onerror = () => reject(new Error('the picture could not be read'));
    image.onload = () => {
      const canvas = document.createElement('canvas');
      [canvas.width, canvas.height] = [WIDTH * SCALE, height * SCALE];
      canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture could not be painted'))));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  });
}
