import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';

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
export const vocabulariesQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies'],
    queryFn: () => request<{ vocabularies: VocabularySummary[] }>('GET', 'vocabularies'),
  });

export const vocabularyQuery = (accountId: string, id: string) =>
  queryOptions({
    queryKey: [accountId, 'vocabularies', id],
    queryFn: () => request<Vocabulary>('GET', `vocabularies/${id}`),
  });
