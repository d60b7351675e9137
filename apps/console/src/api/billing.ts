import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import type { ConsoleApiSchema } from './types.ts';

export type BalanceAndPaymentStatus = ConsoleApiSchema<'BalanceResponse'>;
export type AccountBillingOverview = ConsoleApiSchema<'BillingResponse'>;
/** Amounts are in the smallest unit of the currency. */
export type CreditPackagesAndSavedCard = ConsoleApiSchema<'CardPaymentsOverviewResponse'>;
export type AutoRecharge = ConsoleApiSchema<'AutoRechargeResponse'>;
export type Payment = ConsoleApiSchema<'PaymentResponse'>;
export type LedgerEntry = ConsoleApiSchema<'LedgerEntry'>;
export type UsageRow = ConsoleApiSchema<'UsageRow'>;

export interface UsagePeriod {
  from: string;
  days: number;
}

const BALANCE_AGE_MS = 30_000;

/** Balance for the banner of every page, so it is read again from time to time. */
export const balanceQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'balance'],
    queryFn: () => requestJson<BalanceAndPaymentStatus>('GET', 'balance'),
    staleTime: BALANCE_AGE_MS,
    refetchInterval: 2 * BALANCE_AGE_MS,
  });

export const billingQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'billing'],
    queryFn: () => requestJson<AccountBillingOverview>('GET', 'billing'),
  });

/** After a change of the settings: the page shows them, the banner what follows from them. */
export const refreshBillingAndBalance = (queryClient: QueryClient, accountId: string) =>
  Promise.all([
    queryClient.invalidateQueries(billingQueryOptions(accountId)),
    queryClient.invalidateQueries(balanceQueryOptions(accountId)),
  ]);

export const usageQueryOptions = (accountId: string, { from, days }: UsagePeriod) =>
  queryOptions({
    queryKey: [accountId, 'usage', from, days],
    queryFn: () => requestJson<ConsoleApiSchema<'UsageResponse'>>('GET', `usage?from=${from}&days=${days}`),
  });

export const ledgerInfiniteQueryOptions = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'ledger'],
    queryFn: ({ pageParam }) =>
      requestJson<ConsoleApiSchema<'LedgerResponse'>>(
        'GET',
        pageParam === null ? 'ledger' : `ledger?before=${pageParam}`,
      ),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
  });

export const paymentsInfiniteQueryOptions = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'payments'],
    queryFn: ({ pageParam }) =>
      requestJson<ConsoleApiSchema<'PaymentListResponse'>>(
        'GET',
        pageParam === null ? 'billing/payments' : `billing/payments?before=${pageParam}`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_before }) => next_before,
  });
