// Makes an SVG or PNG file of a panel's picture: title, sentence, key, charts, what they say in words, dates and source.
import { page } from '$app/state';
import type { Panel } from '#dashboards/panel.ts';
import { fileName } from '#dashboards/file-name.ts';
import { dayName } from '#dashboards/periods.ts';
import type { Chart, Picture } from '#dashboards/pictures/picture.ts';
import * as themes from '#dashboards/theme.ts';
import { init } from '#lib/charts/echarts.ts';
import type { Account, Health } from '#lib/api.ts';
import type { Filters } from '#lib/filters.ts';
import { clock } from '#lib/instants.ts';
import { shownTheme } from '#lib/shown-theme.svelte.ts';
import { words } from '#lib/words.ts';
import { namesOf } from './names.ts';
import { fontFace, keyOf, Paper } from './paper.ts';

interface Kept {
  panel: Panel;
  picture: Picture;
  filters: Filters;
  account: Account;
  locale: string;
  source: string;
}

const WIDTH = 960;
const EDGE = 32;
const SCALE = 2;

/** Hands the file to the browser to keep. Errors: when the browser cannot draw it. */
export async function keepPicture(kind: 'svg' | 'png', kept: Kept): Promise<void> {
  const { svg, height } = composed(kept, kind === 'png' ? await fontFace() : '');
  const content = kind === 'svg' ? new Blob([svg], { type: 'image/svg+xml' }) : await painted(svg, height);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = fileName(kept.account.id, kept.panel.title, kept.filters.from, kept.filters.to, kind);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function composed({ panel, picture, filters, account, locale, source }: Kept, font: string) {
  const theme = themes[shownTheme.name];
  const paper = new Paper(WIDTH, EDGE, theme);
  paper.text(panel.title, 20, theme.text, 600);
  paper.text([panel.sentence, words.panel.unit[panel.unit]].filter(Boolean).join(' '), 14, theme.muted);
  paper.space(8);
  if (picture.key.length) paper.row(keyOf(picture.key));
  const isSeveral = picture.charts.length > 1;
  for (const chart of picture.charts) {
    if (isSeveral && chart.title) paper.text(chart.title, 14, theme.text, 600);
    paper.drawing(drawn(chart, WIDTH - 2 * EDGE), chart.height);
  }
  paper.space(8);
  paper.text(picture.summary, 13, theme.muted);
  paper.text(captionOf(filters, account, locale, source), 13, theme.muted);
  return paper.document(panel.title, picture.summary, font);
}

/** Dates, zone and filters, what was counted, whose it is and when. */
function captionOf(filters: Filters, account: Account, locale: string, source: string): string {
  const { from, to, timezone } = filters;
  const names = namesOf(account);
  const dates =
    from === to ? dayName(from, locale, true) : `${dayName(from, locale, true)} – ${dayName(to, locale, true)}`;
  const narrowed = (['group', 'agent', 'tag'] as const).flatMap((kind) =>
    filters[kind].length
      ? [`${words.panel.exported.narrowed[kind]}: ${filters[kind].map((it) => names[kind]?.[it] ?? it).join(', ')}`]
      : [],
  );
  const { health } = page.data as { health: Health };
  const published = clock(health.snapshot?.published_at ?? '', timezone, locale, new Date(0));
  const made = words.panel.exported.source(account.id, published);
  return [`${dates}, ${timezone}`, ...narrowed, source, made].filter(Boolean).join(' · ');
}

function drawn({ option, height }: Chart, width: number): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    chart.setOption({ ...option, tooltip: { show: false }, animation: false });
    return chart.renderToSVGString();
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
