import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';

export interface VocabularySummary {
  id: string;
  name: string;
  term_count: number;
  updated_at: string;
}

export interface Vocabulary {
  id: string;
  name: string;
  terms: string[];
}

/** By name. */
export const vocabulariesQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies'],
    queryFn: () => requestJson<{ vocabularies: VocabularySummary[] }>('GET', 'vocabularies'),
  });

export const vocabularyQueryOptions = (accountId: string, id: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies', id],
    queryFn: () => requestJson<Vocabulary>('GET', `vocabularies/${id}`),
  });
