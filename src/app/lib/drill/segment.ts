// A name of the source as one segment of an address, and back: a login may hold slashes, question marks and percent signs.

/**
 * Addresses of ordinary logins stay readable. TRICKY: `resolve` of SvelteKit writes a parameter as it is, and throws where one
 * begins or ends with a slash.
 */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');

/** What a segment says; one that somebody wrote by hand may be none. */
export function textOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
