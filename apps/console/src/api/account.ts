import { queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import type { Schema } from './types.ts';

export type Account = Schema<'AccountSettingsResponse'>;

export const accountQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'account'],
    queryFn: () => request<Account>('GET', 'account'),
  });
