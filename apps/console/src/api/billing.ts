import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import type { Schema } from './types.ts';

export type Balance = Schema<'BalanceResponse'>;
export type Billing = Schema<'BillingResponse'>;
/** Amounts are in the smallest unit of the currency. */
export type CardPaymentSettings = Schema<'CardPaymentsResponse'>;
export type AutoRecharge = Schema<'AutoRechargeResponse'>;
export type Payment = Schema<'PaymentResponse'>;
export type LedgerEntry = Schema<'LedgerEntry'>;
export type UsageRow = Schema<'UsageRow'>;

export interface Period {
  from: string;
  days: number;
}

const BALANCE_AGE_MS = 30_000;

/** Of every page's banner, so it is read again from time to time. */
export const balanceQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'balance'],
    queryFn: () => request<Balance>('GET', 'balance'),
    staleTime: BALANCE_AGE_MS,
    refetchInterval: 2 * BALANCE_AGE_MS,
  });

export const billingQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'billing'],
    queryFn: () => request<Billing>('GET', 'billing'),
  });

export const usageQuery = (accountId: string, { from, days }: Period) =>
  queryOptions({
    queryKey: [accountId, 'usage', from, days],
    queryFn: () => request<Schema<'UsageResponse'>>('GET', `usage?from=${from}&days=${days}`),
  });

export const ledgerQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'ledger'],
    queryFn: ({ pageParam }) =>
      request<Schema<'LedgerResponse'>>('GET', pageParam === null ? 'ledger' : `ledger?before=${pageParam}`),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next_before }) => next_before,
  });

export const paymentsQuery = (accountId: string) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'payments'],
    queryFn: ({ pageParam }) =>
      request<Schema<'PaymentListResponse'>>(
        'GET',
        pageParam === null ? 'billing/payments' : `billing/payments?before=${pageParam}`,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_before }) => next_before,
  });
