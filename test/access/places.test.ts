// Where a browser goes after signing in: to a page of this server, whatever the address says.
import { expect, it } from 'vitest';
import { placeIn } from '#lib/auth/calls.ts';

const origin = 'https://numbers.example';

it.each([
  ['/queue?preset=7d&group=2', `${origin}/queue?preset=7d&group=2`],
  [`${origin}/queue`, `${origin}/queue`],
  ['queue', `${origin}/queue`],
  ['/sign-in?to=/queue', `${origin}/`],
  ['', `${origin}/`],
  ['//evil.example', `${origin}/`],
  ['/\\evil.example', `${origin}/`],
  ['/\t/evil.example', `${origin}/`],
  ['/.//evil.example', `${origin}//evil.example`],
  ['/..//evil.example/x', `${origin}//evil.example/x`],
  [`${origin}//evil.example`, `${origin}//evil.example`],
  ['https://evil.example/', `${origin}/`],
  ['javascript:alert(1)', `${origin}/`],
  ['https://numbers.example@evil.example/', `${origin}/`],
])('%s leads to %s', (to, place) => {
  expect(placeIn(new URLSearchParams({ to }), origin)).toBe(place);
});

it('who asked for no page begins where they begin', () => {
  const begins = (to: string) => placeIn(new URLSearchParams(to ? { to } : {}), origin, '/own-figures');
  expect(begins('')).toBe(`${origin}/own-figures`);
  expect(begins('/')).toBe(`${origin}/own-figures`);
  expect(begins('/queue')).toBe(`${origin}/queue`);
  expect(begins('//evil.example')).toBe(`${origin}/own-figures`);
});
