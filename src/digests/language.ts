// Supported document languages: those whose numbers and dates this program can format.

/** Some that are often wanted; a refusal names them. */
export const languages = [
  ...['ar', 'bg', 'cs', 'da', 'de', 'el', 'en-GB', 'en-US', 'es', 'es-419', 'et', 'fi', 'fr', 'he', 'hi', 'hr', 'hu'],
  ...['id', 'it', 'ja', 'ko', 'lt', 'lv', 'nb', 'nl', 'pl', 'pt-BR', 'pt-PT', 'ro', 'ru', 'sk', 'sl', 'sr', 'sv'],
  ...['th', 'tr', 'uk', 'vi', 'zh-Hans', 'zh-Hant'],
] as const;

/** The error for an unsupported tag. */
export const no_language = `must be a language tag such as ${languages.slice(4, 7).join(', ')}, es-419 or zh-Hant`;

const most_letters = 60;

/** Whether a tag names a language, in any region, script and with any extension. */
export function isLanguage(tag: string): boolean {
  if (tag.length > most_letters) return false;
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}

/** Scripts that are read from the right. */
const from_right = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/**
 * The typesetter accepts two or three letters and a country, but no regions of several countries (419, 001). Words are English in every
 * language: set from the right, "2 m 59 s" would be read as "m 59 s 2".
 */
export function typesetAs(tag: string): { language: string; region: string | null } {
  if (!isLanguage(tag)) return { language: 'en', region: 'GB' };
  const { language, region = '', script = '' } = new Intl.Locale(tag).maximize();
  return /^[a-z]{2,3}$/.test(language) && !from_right.has(script)
    ? { language, region: /^[A-Z]{2}$/.test(region) ? region : null }
    : { language: 'en', region: null };
}
