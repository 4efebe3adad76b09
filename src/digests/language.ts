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

/** The typesetter accepts two or three letters and a country, but no regions of several countries (419, 001). */
export function typesetAs(tag: string): { language: string; region: string | null } {
  if (!isLanguage(tag)) return { language: 'en', region: 'GB' };
  const { language, region = '' } = new Intl.Locale(tag).maximize();
  return /^[a-z]{2,3}$/.test(language)
    ? { language, region: /^[A-Z]{2}$/.test(region) ? region : null }
    : { language: 'en', region: null };
}
