// What documents call the installation that made them, and its colour.
import { product_name } from '#dashboards/brand.ts';

export interface Brand {
  name: string;
  /** #rrggbb; null: none of its own. */
  accent: string | null;
}

export const ownBrand: Brand = { name: product_name, accent: null };
