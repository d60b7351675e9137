import type { InstalledModel } from '../../models/installed-model.js';
import { toLanguageTag } from '../language-tag.js';

/**
 * The language tag for what a model told (`en`, `<|en|>` or nothing). A model of one language need not tell.
 * Null when it is not known.
 */
export function recognizedLanguageTag(
  language: string,
  { languages }: Pick<InstalledModel, 'languages'>,
): string | null {
  const tag = toLanguageTag(language.replace(/^<\|(.*)\|>$/, '$1'));
  if (tag !== null) return tag;
  return languages !== 'any' && languages.length === 1 ? (languages[0] ?? null) : null;
}
