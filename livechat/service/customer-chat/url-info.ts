// What a page says about itself, for the preview of a link: its title, description and picture.
import { Parser } from 'htmlparser2';
import type { CustomerAnswer } from '#contract/customer-chat.ts';
import { refuse } from '../refusals.ts';
import { signedIn, type ReachOut } from './action.ts';

const bounds = { milliseconds: 5_000, bytes: 256 * 1024 };
const longest = 2_000;

export const getUrlInfo = signedIn<'get_url_info'>(async ({ args: { url }, reachOut }) => {
  const page = await pageAt(url, reachOut);
  const { title, 'og:title': og_title, 'og:description': og, description = og, 'og:image': picture } = page;
  const image = picture === undefined ? undefined : webAddressOf(picture, url);
  const size = { image_width: wholeOf(page['og:image:width']), image_height: wholeOf(page['og:image:height']) };
  const told = { title: og_title ?? title, description, image_url: image, image_original_url: image, ...size, url };
  return Object.fromEntries(
    Object.entries(told).filter(([, value]) => value !== undefined),
  ) as CustomerAnswer<'get_url_info'>;
});

async function pageAt(url: string, reachOut: ReachOut) {
  let answer;
  try {
    answer = await reachOut(url, { method: 'GET', headers: { accept: 'text/html' } }, bounds);
  } catch {
    // Where it leads and why it failed is nothing that customers of the account should learn about its network.
    throw refuse.v3('validation', 'url: the page cannot be read');
  }
  if (answer.status !== 200 || !/^text\/html|^application\/xhtml/.test(answer.type))
    throw refuse.v3('validation', 'url: the page cannot be read');
  return factsIn(answer.body.toString('utf8'));
}

/** The title and the meta elements of a page, by name or property; the first of each. */
function factsIn(html: string): Record<string, string> {
  const found = Object.create(null) as Record<string, string>;
  let is_title = false;
  const parser = new Parser({
    onopentag(name, { name: own, property = own, content }) {
      is_title = name === 'title' && found.title === undefined;
      if (is_title) found.title = '';
      if (name === 'meta' && property && content) found[property.toLowerCase()] ??= content.trim().slice(0, longest);
    },
    ontext(text) {
      if (is_title) found.title = `${found.title}${text}`.slice(0, longest);
    },
    onclosetag(name) {
      if (name === 'title') is_title = false;
    },
  });
  parser.end(html);
  if (found.title !== undefined) found.title = found.title.trim();
  return found;
}

/** The address of a picture as the page names it; of schemes that a browser could run, none. */
function webAddressOf(picture: string, page: string): string | undefined {
  if (!URL.canParse(picture, page)) return undefined;
  const { href, protocol } = new URL(picture, page);
  return /^https?:$/.test(protocol) ? href : undefined;
}

const wholeOf = (text: string | undefined): number | undefined =>
  text && /^\d{1,5}$/.test(text) ? Number(text) : undefined;
