import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import type { ConsoleApiSchema } from './types.ts';

export type Key = ConsoleApiSchema<'ApiKeyResponse'>;
export type LimitIncreaseRequestItem = ConsoleApiSchema<'LimitIncreaseRequestResponse'>;

export const apiKeysQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'keys'],
    queryFn: () => requestJson<ConsoleApiSchema<'ApiKeyListResponse'>>('GET', 'keys'),
  });

export const limitIncreaseRequestsQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'limit-requests'],
    queryFn: async () =>
      (await requestJson<ConsoleApiSchema<'LimitIncreaseRequestListResponse'>>('GET', 'limit-requests'))
        .requests,
  });
