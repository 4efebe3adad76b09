// A name of the source as one segment of an address, and back: a login may hold slashes, question marks and percent signs.

/**
 * Keeps addresses of ordinary logins readable. TRICKY: SvelteKit's `resolve` does not encode parameters, and throws if one begins or ends
 * with a slash.
 */
export const segment = (text: string): string => encodeURIComponent(text.toWellFormed()).replaceAll('%40', '@');

/** The decoded text of a segment; one typed by hand may be invalid. */
export function textOf(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
