import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import type { Schema } from './types.ts';

export type Key = Schema<'KeyResponse'>;
export type LimitRequest = Schema<'LimitRequestResponse'>;

export const keysQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'keys'],
    queryFn: () => request<Schema<'KeyListResponse'>>('GET', 'keys'),
  });

export const limitRequestsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'limit-requests'],
    queryFn: async () =>
      (await request<Schema<'LimitRequestListResponse'>>('GET', 'limit-requests')).requests,
  });
