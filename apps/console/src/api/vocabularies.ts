import { queryOptions } from '@tanstack/react-query';
import { ApiError, requestJson } from './client.ts';
import type { ConsoleApiSchema } from './types.ts';

export type VocabularySummary = ConsoleApiSchema<'VocabularySummaryResponse'>;
export type Vocabulary = ConsoleApiSchema<'VocabularyResponse'>;

/** By name. */
export const vocabulariesQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies'],
    queryFn: () => requestJson<ConsoleApiSchema<'VocabularyListResponse'>>('GET', 'vocabularies'),
  });

export const vocabularyQueryOptions = (accountId: string, id: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies', id],
    queryFn: () => readVocabulary(id),
  });

export const readVocabulary = (id: string) => requestJson<Vocabulary>('GET', `vocabularies/${id}`);

/**
 * @param seen null for a new one
 * @throws ApiError `isVocabularyChangedError` if it is not the one that was seen any more
 */
export function saveVocabulary(
  content: ConsoleApiSchema<'VocabularyContent'>,
  seen: Vocabulary | null,
): Promise<unknown> {
  if (!seen) return requestJson('POST', 'vocabularies', content);
  return requestJson('PUT', `vocabularies/${seen.id}`, { ...content, replaces: seen.updated_at });
}

export const isVocabularyChangedError = (error: unknown) =>
  error instanceof ApiError && error.code === 'vocabulary_changed';
