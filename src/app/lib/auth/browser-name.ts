// A short browser name from its user agent; an unknown one is shown in full.
const browsers: readonly [name: string, says: RegExp][] = [
  ['Edge', /\bEdg(?:A|iOS)?\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Headless)?(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*\bSafari\//],
];

const systems: readonly [name: string, says: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

/** `Firefox 130, Windows`. */
export function browserName(said: string): string {
  for (const [name, says] of browsers) {
    const version = says.exec(said)?.[1];
    if (version === undefined) continue;
    const system = systems.find(([, pattern]) => pattern.test(said))?.[0];
    return [`${name} ${version}`, system].filter(Boolean).join(', ');
  }
  return said;
}
