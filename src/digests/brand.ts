// What documents call the installation that made them, its colour and its logo.
import { product_name } from '#dashboards/brand.ts';

/** In pixels. */
export interface LogoSize {
  width: number;
  height: number;
}

export interface Logo extends LogoSize {
  /** Another for each content. */
  version: string;
  png: Uint8Array;
}

export interface Brand {
  name: string;
  /** #rrggbb; null: none of its own. */
  accent: string | null;
  logo: Logo | null;
}

export const ownBrand: Brand = { name: product_name, accent: null, logo: null };

/** As it is kept with what was sent: the logo by its version alone. */
export interface KeptBrand extends Pick<Brand, 'name' | 'accent'> {
  logo: string | null;
}

export const keptBrand = ({ name, accent, logo }: Brand): KeptBrand => ({ name, accent, logo: logo?.version ?? null });

/** A former logo is not there any more: what is made again goes without it. */
export const brandFrom = ({ name, accent, logo }: KeptBrand, now: Brand): Brand => ({
  ...{ name, accent },
  logo: now.logo?.version === logo ? now.logo : null,
});
