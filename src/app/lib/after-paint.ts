// Delays the scripts of a page until its first paint, so that they do not hold up content that is already readable.

const start = /import\(("[^"]*\/entry\/start[^"]*")\)\.then\(/;
/** Once the page is parsed and one frame is painted, all modules are requested together. */
const painted =
  'new Promise((painted) => { const paint = () => requestAnimationFrame(() => setTimeout(painted));' +
  ' if (document.readyState === "loading") addEventListener("DOMContentLoaded", paint, { once: true }); else paint();' +
  ' }).then(() => {' +
  ' for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";' +
  ' return import($1); }).then(';

/** SvelteKit's page with its scripts after the first frame; unchanged if it lacks the expected start code. */
export const afterPaint = (html: string): string =>
  start.test(html) ? html.replace(start, painted).replaceAll('rel="modulepreload"', 'rel="later"') : html;
