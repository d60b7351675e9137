import type { InstalledModel } from '../../models/model.js';
import { languageTag } from '../language-tag.js';

/**
 * The language tag for what a model told (`en`, `<|en|>` or nothing). A model of one language need not tell.
 * Null when it is not known.
 */
export function languageOf(told: string, { languages }: Pick<InstalledModel, 'languages'>): string | null {
  const tag = languageTag(told.replace(/^<\|(.*)\|>$/, '$1'));
  if (tag !== null) return tag;
  return languages !== 'any' && languages.length === 1 ? (languages[0] ?? null) : null;
}
