// What this installation is called and looks like, on every page; as the program does where nobody has said.
import { page } from '$app/state';
import type { Brand } from '#api/contract/brand.ts';
import { product_name } from '#dashboards/brand.ts';

export const ownBrand: Brand = { name: product_name, accent: null, logo: null };

/** What pages depend on: invalidated where it is changed. */
export const brandChanged = 'app:brand';

/** Follows a change of it. */
export const brand = (): Brand => (page.data as { brand?: Brand }).brand ?? ownBrand;
