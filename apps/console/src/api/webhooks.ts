import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { toQueryString } from './queries.ts';
import type { Schema } from './types.ts';

export const ENDPOINT_EVENTS = ['completed', 'failed'] as const;
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

export type WebhookEndpointSettings = Schema<'WebhookEndpointSettings'>;
export type WebhookEndpoint = Schema<'WebhookEndpointResponse'>;
export type WebhookDelivery = Schema<'ListedDeliveryResponse'>;
export type DeliveryDetail = Schema<'WebhookDeliveryDetailResponse'>;
export type Attempt = Schema<'AttemptResponse'>;

export interface DeliveryFilter {
  status?: string | undefined;
  endpoint?: string | undefined;
  job_id?: string | undefined;
}

/** While a delivery is pending. */
const REFRESH_MS = 2_000;

export const endpointsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'webhook-endpoints'],
    queryFn: () => request<Schema<'WebhookEndpointListResponse'>>('GET', 'webhook-endpoints'),
  });

export const webhookDeliveriesQuery = (accountId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'deliveries', filter],
    queryFn: ({ pageParam }) =>
      request<Schema<'DeliveryListResponse'>>(
        'GET',
        `deliveries${toQueryString({ ...filter, cursor: pageParam })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.deliveries.some(({ status }) => status === 'pending') ? REFRESH_MS : false,
  });

export const deliveryQuery = (accountId: string, id: string) =>
  queryOptions({
    queryKey: [accountId, 'delivery', id],
    queryFn: () => request<DeliveryDetail>('GET', `deliveries/${id}`),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  });
