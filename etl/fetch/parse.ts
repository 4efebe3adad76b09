// Parses an answer with status 200: an object or list that is not an error in disguise and not nested too deeply.
import { pageSize } from '#contract/archive.ts';
import { errorWords } from '#contract/errors.ts';
import { threadsPerPage } from '#contract/list-archives.ts';
import { Garbled } from '../errors.ts';
import { html_page } from './refusal.ts';
import { repeatedName } from './repeated.ts';

/** @throws Garbled if it is not valid. */
export function parsed(text: string, path: string): unknown {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // The error below describes the text.
  }
  if (typeof json === 'object' && json !== null) {
    if ('error' in json || 'errors' in json)
      throw new Garbled(`${path} was answered with 200 and an error: ${errorWords(json) ?? 'without words'}`);
    if (isTooDeep(text, json))
      throw new Garbled(`the answer to ${path} is nested deeper than ${deepest} lists or objects`);
    const twice = isFull(json) ? undefined : repeatedName(text);
    if (twice !== undefined) throw new Garbled(`the answer to ${path} names '${twice.slice(0, 40)}' twice`);
    return json;
  }
  const what = text.trim() === '' ? 'empty' : text.trimStart().startsWith('<') ? html_page : 'no whole JSON';
  throw new Garbled(`the answer to ${path} is ${what}`);
}

/** Most pages are full and skip the search for repeated names: chats lost in one show up as a shortfall against the question's total. */
function isFull({ chats, found_chats }: { chats?: unknown; found_chats?: unknown }): boolean {
  return Array.isArray(chats) && chats.length >= (found_chats === undefined ? pageSize : threadsPerPage.most);
}

/** Answers of an account are nested seven deep; beyond some thousands, serializing or validating one crashes the program. */
const deepest = 200;
const brackets = /[[\]{}]/g;

/** Counting brackets in the text is fast but may overcount, since texts contain brackets; only then is the value checked. */
function isTooDeep(text: string, json: object): boolean {
  let depth = 0;
  brackets.lastIndex = 0;
  for (let found = brackets.exec(text); found; found = brackets.exec(text)) {
    depth += found[0] === '[' || found[0] === '{' ? 1 : -1;
    if (depth > deepest) return isDeeper(json, deepest);
  }
  return false;
}

const isDeeper = (value: object, levels: number): boolean =>
  levels === 0 ||
  Object.values(value).some(
    (inner: unknown) => typeof inner === 'object' && inner !== null && isDeeper(inner, levels - 1),
  );
