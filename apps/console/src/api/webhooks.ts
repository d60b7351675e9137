import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import { toQueryString } from './queries.ts';
import type { ConsoleApiSchema } from './types.ts';

export const ENDPOINT_EVENTS = [
  'completed',
  'failed',
] as const satisfies readonly WebhookEndpointSettings['events'][number][];
export const DELIVERY_STATES = ['pending', 'delivered', 'failed', 'cancelled'] as const;

export type WebhookEndpointSettings = ConsoleApiSchema<'WebhookEndpointSettings'>;
export type WebhookEndpointChanges = ConsoleApiSchema<'WebhookEndpointChanges'>;
export type WebhookEndpoint = ConsoleApiSchema<'WebhookEndpointResponse'>;
export type WebhookDelivery = ConsoleApiSchema<'ListedDeliveryResponse'>;
export type DeliveryDetail = ConsoleApiSchema<'WebhookDeliveryDetailResponse'>;
export type WebhookDeliveryAttempt = ConsoleApiSchema<'WebhookAttemptDetails'>;

export interface DeliveryFilter {
  status?: string | undefined;
  endpoint?: string | undefined;
  job_id?: string | undefined;
}

/** The interval while a delivery is pending; for a list, times the number of its pages, because all are loaded again. */
const REFRESH_MS = 2_000;

export const webhookEndpointsQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'webhook-endpoints'],
    queryFn: () => requestJson<ConsoleApiSchema<'WebhookEndpointListResponse'>>('GET', 'webhook-endpoints'),
  });

export const webhookDeliveriesInfiniteQueryOptions = (accountId: string, filter: DeliveryFilter) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'deliveries', filter],
    queryFn: ({ pageParam }) =>
      requestJson<ConsoleApiSchema<'DeliveryListResponse'>>(
        'GET',
        `deliveries${toQueryString({ ...filter, cursor: pageParam })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: ({ state: { data } }) =>
      data?.pages[0]?.deliveries.some(({ status }) => status === 'pending')
        ? REFRESH_MS * data.pages.length
        : false,
  });

export const webhookDeliveryPollingQueryOptions = (accountId: string, id: string) =>
  queryOptions({
    queryKey: [accountId, 'delivery', id],
    queryFn: () => requestJson<DeliveryDetail>('GET', `deliveries/${id}`),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  });
