import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { requestJson } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { type DeliveryDetail, webhookDeliveryPollingQueryOptions } from '../../api/webhooks.ts';
import { Button } from '../../components/button.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { ActionErrorNotice, LoadErrorNotice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { WebhookUrlWithMaskedSecrets } from '../../components/webhook-url-with-masked-secrets.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/index.ts';
import { AttemptSection } from './attempt.tsx';
import { DeliveryStateBadge } from './delivery-state.tsx';

const words = texts.webhooks.delivery;

/** One delivery, with what each attempt sent and got. */
export function DeliveryPage() {
  const { deliveryId } = useParams({ from: '/shell/webhooks/deliveries/$deliveryId' });
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const accountId = session.account?.id ?? '';
  const mayWrite = session.account?.permissions.includes('webhooks.write') ?? false;
  const delivery = useQuery(webhookDeliveryPollingQueryOptions(accountId, deliveryId));
  return (
    <Page
      title={words.title}
      actions={
        <Link to="/webhooks" className="text-accent inline-flex min-h-9 items-center underline">
          {words.back}
        </Link>
      }
    >
      {delivery.isError && !delivery.data ? (
        <LoadErrorNotice error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : delivery.data ? (
        <DeliveryDetails accountId={accountId} delivery={delivery.data} mayWrite={mayWrite} />
      ) : (
        <Skeleton rows={8} />
      )}
    </Page>
  );
}

interface DeliveryDetailsProps {
  accountId: string;
  delivery: DeliveryDetail;
  mayWrite: boolean;
}

function DeliveryDetails({ accountId, delivery, mayWrite }: DeliveryDetailsProps) {
  const queryClient = useQueryClient();
  const replay = useMutation({
    mutationFn: () => requestJson<void>('POST', `deliveries/${delivery.id}/replay`),
    onSettled: async () => {
      await queryClient.invalidateQueries(webhookDeliveryPollingQueryOptions(accountId, delivery.id));
      void queryClient.invalidateQueries({ queryKey: [accountId, 'deliveries'] });
    },
  });
  const { deliveries } = texts.webhooks;
  return (
    <>
      <Section
        title={texts.webhooks.events[delivery.event] ?? delivery.event}
        actions={
          mayWrite &&
          delivery.replayable && (
            <Button busy={replay.isPending} onClick={() => replay.mutate()}>
              {words.replay}
            </Button>
          )
        }
      >
        <ActionErrorNotice error={replay.error} />
        <dl className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-4 gap-y-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
          <Fact name={deliveries.state}>
            <DeliveryStateBadge state={delivery.status} />
            {replay.isSuccess && (
              <span role="status" className="text-muted ml-2">
                {words.replayed}
              </span>
            )}
          </Fact>
          <Fact name={deliveries.to}>
            <WebhookUrlWithMaskedSecrets url={delivery.url} />
          </Fact>
          {delivery.job_id !== null && (
            <Fact name={deliveries.job}>
              <span className="font-mono text-xs">
                <JobLink jobId={delivery.job_id}>{delivery.job_id}</JobLink>
              </span>
            </Fact>
          )}
          <Fact name={words.id}>
            <span className="font-mono text-xs break-all">{delivery.id}</span>
          </Fact>
          <Fact name={deliveries.created}>
            <Time value={delivery.created_at} />
          </Fact>
          {delivery.next_attempt_at !== null && (
            <Fact name={words.nextAttempt}>
              <Time value={delivery.next_attempt_at} relative />
            </Fact>
          )}
          {delivery.finished_at !== null && (
            <Fact name={words.finished}>
              <Time value={delivery.finished_at} />
            </Fact>
          )}
        </dl>
        {delivery.status !== 'pending' && !delivery.replayable && (
          <p className="text-muted">{words.notReplayable}</p>
        )}
      </Section>
      {delivery.attempt_list.length === 0 && <p className="text-muted">{words.noAttempts}</p>}
      {delivery.attempt_list.map((attempt) => (
        <AttemptSection key={attempt.number} attempt={attempt} mayRead={mayWrite} />
      ))}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  );
}
