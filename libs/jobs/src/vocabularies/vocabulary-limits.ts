import { createInvalidFieldError, replaceControlAndDirectionCharacters } from '@app/errors';

/** Limit of `custom_vocabulary` as well. */
export const MAX_VOCABULARY_TERMS = 1_000;
export const MAX_VOCABULARY_TERM_LENGTH = 100;
export const MAX_VOCABULARY_NAME_LENGTH = 60;
export const MAX_VOCABULARIES_PER_ACCOUNT = 50;

export interface VocabularyContent {
  name: string;
  terms: string[];
}

/** Without blanks at the ends and repeated terms. @throws ServiceError that names `name` or `terms` */
export function normalizeAndValidateVocabulary({
  name: givenName,
  terms: givenTerms,
}: VocabularyContent): VocabularyContent {
  const name = givenName.trim();
  const terms = mergeTerms(givenTerms.map((term) => term.trim()));
  if (name.length === 0 || name.length > MAX_VOCABULARY_NAME_LENGTH)
    throw createInvalidFieldError('name', `must have 1 to ${MAX_VOCABULARY_NAME_LENGTH} characters`);
  if (!isPlain(name)) throw createInvalidFieldError('name', 'must have no control characters');
  if (terms.length === 0 || terms.length > MAX_VOCABULARY_TERMS)
    throw createInvalidFieldError('terms', `must hold 1 to ${MAX_VOCABULARY_TERMS} terms`);
  for (const term of terms) {
    if (term.length === 0 || term.length > MAX_VOCABULARY_TERM_LENGTH)
      throw createInvalidFieldError(
        'terms',
        `must hold terms of 1 to ${MAX_VOCABULARY_TERM_LENGTH} characters`,
      );
    if (!isPlain(term)) throw createInvalidFieldError('terms', 'must hold terms without control characters');
  }
  return { name, terms };
}

/**
 * The terms of a request, then those of its vocabulary.
 * @throws ServiceError that names `vocabulary` if there are too many
 */
export function mergeTermsWithinVocabularyLimit(
  custom: readonly string[],
  saved: readonly string[],
): string[] {
  const terms = mergeTerms([...custom, ...saved]);
  if (terms.length > MAX_VOCABULARY_TERMS)
    throw createInvalidFieldError(
      'vocabulary',
      `has with custom_vocabulary ${terms.length} different terms, at most ${MAX_VOCABULARY_TERMS} are possible`,
    );
  return terms;
}

function mergeTerms(terms: readonly string[]): string[] {
  return [...new Set(terms)];
}

function isPlain(text: string): boolean {
  return text.isWellFormed() && replaceControlAndDirectionCharacters(text, () => '') === text;
}
