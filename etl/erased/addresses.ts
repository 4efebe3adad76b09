// E-mail addresses as they stand in texts, and the one form in which they are compared.

/** As it is compared: trimmed, in small letters. */
export const addressOf = (text: string): string => text.trim().toLowerCase();

const pattern = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
const alone = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** The whole text is an address. */
export const isAddress = (text: string): boolean => alone.test(text.trim());

/** The text with another in place of each address in it. */
export const replaceAddresses = (text: string, by: (address: string) => string): string =>
  text.includes('@') ? text.replace(pattern, by) : text;
