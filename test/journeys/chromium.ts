// Finds a Chromium: the one in CHROMIUM, else one on the machine, else the one an npm package ships; none is an error, not a skip.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first draws the same without windows, in two thirds of the time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Works as root and on machines without a graphics card, and talks to nobody but the product. */
export const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function chromium(): Promise<string> {
  const named = process.env['CHROMIUM'];
  if (named) {
    if (canRun(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which is not an executable file.`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(canRun);
  return found ?? (await shipped());
}

async function shipped(): Promise<string> {
  try {
    const { default: packaged } = await import('@sparticuz/chromium');
    const path = await packaged.executablePath();
    if (canRun(path)) return path;
  } catch (cause) {
    throw new Error(NONE, { cause });
  }
  throw new Error(NONE);
}

const NONE =
  'The browser journeys need a Chromium: set CHROMIUM to one, or install chromium or google-chrome, or the npm package @sparticuz/chromium.';

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
