// What documents call the installation that made them.
import { product_name } from '#dashboards/brand.ts';

export interface Brand {
  name: string;
}

export const ownBrand: Brand = { name: product_name };
