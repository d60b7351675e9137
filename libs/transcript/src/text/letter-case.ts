import { extractPrimaryLanguageSubtag } from './extract-primary-language-subtag.js';

/** They have an i with and one without a dot, in both cases. */
const DOTLESS_I_LANGUAGES = new Set(['tr', 'az']);

/** @param language BCP 47, null if unknown */
export function toLowerCaseInLanguage(text: string, language: string | null): string {
  const locale = findLocale(language);
  return locale === null ? text.toLowerCase() : text.toLocaleLowerCase(locale);
}

/** @param language BCP 47, null if unknown */
export function toUpperCaseInLanguage(text: string, language: string | null): string {
  const locale = findLocale(language);
  return locale === null ? text.toUpperCase() : text.toLocaleUpperCase(locale);
}

/** Null where case does not depend on the language; other tags may be invalid, which would throw. */
function findLocale(language: string | null): string | null {
  const base = extractPrimaryLanguageSubtag(language) ?? '';
  return DOTLESS_I_LANGUAGES.has(base) ? base : null;
}
