// What of an installation's own look stands on paper, where everything is light.
import { accentFrom } from '#dashboards/accent.ts';
import type { Brand } from '../brand.ts';

export const printedBrand = ({ name, accent }: Brand) => ({
  name,
  accent: accent === null ? null : accentFrom(accent).light.accent,
});
