import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import {
  webhookDeliveriesInfiniteQueryOptions,
  type WebhookDelivery,
  DELIVERY_STATES,
  webhookEndpointsQueryOptions,
} from '../../api/webhooks.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { SelectField } from '../../components/field.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { WebhookUrlWithMaskedSecrets } from '../../components/webhook-url-with-masked-secrets.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatDateTime } from '../../lib/format.ts';
import { maskUrlSecrets } from '../../lib/receiver-url-secrets.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';
import { hasReplayableDelivery } from './has-replayable-delivery.ts';
import { DeliveryStateBadge, describeAttemptResult } from './delivery-state.tsx';

const words = texts.webhooks.deliveries;

const COLUMNS: Column<WebhookDelivery>[] = [
  { key: 'created', title: words.created, render: ({ created_at }) => <Time value={created_at} /> },
  {
    key: 'event',
    title: words.event,
    render: ({ event, job_id }) => (
      <>
        <div>{texts.webhooks.events[event] ?? event}</div>
        {job_id !== null && (
          <div className="font-mono text-xs">
            <JobLink jobId={job_id}>{job_id}</JobLink>
          </div>
        )}
      </>
    ),
  },
  {
    key: 'to',
    title: words.to,
    render: ({ url }) => <WebhookUrlWithMaskedSecrets url={url} />,
  },
  { key: 'state', title: words.state, render: ({ status }) => <DeliveryStateBadge state={status} /> },
  {
    key: 'answer',
    title: words.answer,
    render: (delivery) => (
      <>
        <div className="md:min-w-24">{describeAttemptResult(delivery)}</div>
        <div className="text-muted text-xs whitespace-nowrap">
          {words.attempts}: {delivery.attempts}
        </div>
      </>
    ),
  },
  {
    key: 'actions',
    title: words.actions,
    titleHidden: true,
    render: ({ id, event, created_at }) => (
      <Link
        to="/webhooks/deliveries/$deliveryId"
        params={{ deliveryId: id }}
        aria-label={words.detailsLabel(texts.webhooks.events[event] ?? event, formatDateTime(created_at))}
        className="text-accent inline-flex min-h-9 items-center underline"
      >
        {words.details}
      </Link>
    ),
  },
];

export function DeliveriesSection({ accountId, mayWrite }: { accountId: string; mayWrite: boolean }) {
  const search = useSearch({ from: '/shell/webhooks' });
  const navigate = useNavigate();
  const { data } = useQuery(webhookEndpointsQueryOptions(accountId));
  const deliveries = useInfiniteQuery(
    webhookDeliveriesInfiniteQueryOptions(accountId, {
      status: search.status,
      endpoint: search.endpoint,
      job_id: search.job,
    }),
  );
  const change = (changes: Partial<typeof search>) =>
    void navigate({ to: '/webhooks', search: { ...search, ...changes }, replace: true, resetScroll: false });
  const rows = deliveries.data?.pages.flatMap((page) => page.deliveries);
  const isFiltered = Boolean(search.status ?? search.endpoint ?? search.job);
  const filters = useFocusAfterRemoval<HTMLFormElement>(Number(isFiltered));
  const endpointUrl = data?.endpoints.find(({ id }) => id === search.endpoint)?.url;
  return (
    <Section
      title={words.title}
      actions={
        mayWrite && (
          <ReplayFailed
            accountId={accountId}
            endpoint={
              search.endpoint
                ? {
                    id: search.endpoint,
                    url: endpointUrl === undefined ? search.endpoint : maskUrlSecrets(endpointUrl),
                  }
                : null
            }
          />
        )
      }
    >
      <form ref={filters} tabIndex={-1} className="filters" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label={words.state}
          value={search.status ?? ''}
          onChange={(event) => change({ status: event.target.value || undefined })}
        >
          <option value="">{words.allStates}</option>
          {DELIVERY_STATES.map((state) => (
            <option key={state} value={state}>
              {words.states[state]}
            </option>
          ))}
        </SelectField>
        <div className="max-w-full sm:max-w-96">
          <SelectField
            label={words.endpoint}
            value={search.endpoint ?? ''}
            onChange={(event) => change({ endpoint: event.target.value || undefined })}
          >
            <option value="">{words.allEndpoints}</option>
            {search.endpoint !== undefined && endpointUrl === undefined && (
              <option value={search.endpoint}>{search.endpoint}</option>
            )}
            {data?.endpoints.map(({ id, url }) => (
              <option key={id} value={id}>
                {maskUrlSecrets(url)}
              </option>
            ))}
          </SelectField>
        </div>
        {isFiltered && (
          <Button onClick={() => change({ status: undefined, endpoint: undefined, job: undefined })}>
            {words.clear}
          </Button>
        )}
      </form>
      {search.job !== undefined && <p className="text-muted break-all">{words.ofJob(search.job)}</p>}
      <PagedTable
        label={words.title}
        query={deliveries}
        rows={rows}
        columns={COLUMNS}
        keyOf={({ id }) => id}
        empty={isFiltered ? words.emptyFiltered : words.empty}
        more={words.more}
      />
    </Section>
  );
}

interface ReplayFailedProps {
  accountId: string;
  /** Null for the whole account. */
  endpoint: { id: string; url: string } | null;
}

function ReplayFailed({ accountId, endpoint }: ReplayFailedProps) {
  const queryClient = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const failed = useInfiniteQuery(
    webhookDeliveriesInfiniteQueryOptions(accountId, {
      status: 'failed',
      endpoint: endpoint?.id,
      job_id: undefined,
    }),
  );
  const mayReplay = failed.hasNextPage || hasReplayableDelivery(failed.data?.pages ?? []);
  const replay = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'ReplayFailedDeliveriesResponse'>>('POST', 'deliveries/replay-failed', {
        endpoint_id: endpoint?.id ?? null,
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [accountId, 'deliveries'] });
      setAsking(false);
    },
  });
  return (
    <div className="flex flex-wrap items-center gap-2">
      {replay.data && (
        <Notice kind={replay.data.replayed === 0 ? 'info' : 'success'}>
          {words.replayed(replay.data.replayed, replay.data.has_more)}
        </Notice>
      )}
      {mayReplay && <Button onClick={() => setAsking(true)}>{words.replayFailed}</Button>}
      {isAsking && (
        <ConfirmDialog
          title={words.replayFailedTitle}
          text={words.replayFailedText(endpoint?.url ?? null)}
          action={words.replayFailed}
          look="primary"
          busy={replay.isPending}
          error={replay.error}
          onConfirm={() => replay.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
