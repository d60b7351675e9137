import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
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
    queryFn: () => requestJson<Vocabulary>('GET', `vocabularies/${id}`),
  });
