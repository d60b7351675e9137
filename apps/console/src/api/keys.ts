import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import type { ConsoleApiSchema } from './types.ts';

export type Key = ConsoleApiSchema<'ApiKeyResponse'>;
export type RateLimitIncreaseRequestItem = ConsoleApiSchema<'RateLimitIncreaseRequestResponse'>;

export const apiKeysQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'keys'],
    queryFn: () => requestJson<ConsoleApiSchema<'ApiKeyListResponse'>>('GET', 'keys'),
  });

export const rateLimitIncreaseRequestsQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'limit-requests'],
    queryFn: async () =>
      (await requestJson<ConsoleApiSchema<'RateLimitIncreaseRequestListResponse'>>('GET', 'limit-requests'))
        .requests,
  });
