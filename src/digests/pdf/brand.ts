// What of an installation's own look stands on paper, where everything is light.
import { accentFrom } from '#dashboards/accent.ts';
import type { Brand, LogoSize } from '../brand.ts';

/** Millimetres. */
const room = { width: 60, height: 8 };

export const printedBrand = ({ name, accent, logo }: Brand) => ({
  name,
  accent: accent === null ? null : accentFrom(accent).light.accent,
  logo: logo && fitted(logo),
});

function fitted({ width, height }: LogoSize): LogoSize {
  const scale = Math.min(room.width / width, room.height / height);
  return { width: width * scale, height: height * scale };
}
