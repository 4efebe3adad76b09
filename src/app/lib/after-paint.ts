// Lets a page be painted before its scripts are asked for: they wake what can be read already, and must not hold it up.

const start = /import\(("[^"]*\/entry\/start[^"]*")\)\.then\(/;
/** The page is read to its end and one frame is painted, then the modules are asked for together. */
const painted =
  'new Promise((painted) => { const paint = () => requestAnimationFrame(() => setTimeout(painted));' +
  ' if (document.readyState === "loading") addEventListener("DOMContentLoaded", paint, { once: true }); else paint();' +
  ' }).then(() => {' +
  ' for (const link of document.querySelectorAll("link[rel=later]")) link.rel = "modulepreload";' +
  ' return import($1); }).then(';

/** The page as SvelteKit wrote it, with its scripts after the first frame; without the start it knows it stays as it is. */
export const afterPaint = (html: string): string =>
  start.test(html) ? html.replace(start, painted).replaceAll('rel="modulepreload"', 'rel="later"') : html;
