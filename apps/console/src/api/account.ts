import { queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import type { ConsoleApiSchema } from './types.ts';

export type AccountWithSettings = ConsoleApiSchema<'AccountSettingsResponse'>;

export const accountSettingsQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'account'],
    queryFn: () => requestJson<AccountWithSettings>('GET', 'account'),
  });
