import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { type WebhookEndpoint, webhookEndpointsQueryOptions } from '../../api/webhooks.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { CreatedAtAndByCell } from '../../components/created-cell.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { ActionErrorNotice, LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { WebhookUrlWithMaskedSecrets } from '../../components/webhook-url-with-masked-secrets.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { maskUrlSecrets } from '../../lib/receiver-url-secrets.ts';
import { texts } from '../../texts/index.ts';
import { EndpointDialog } from './endpoint-dialog.tsx';

const words = texts.webhooks.endpoints;

export function EndpointsSection({ accountId, mayWrite }: { accountId: string; mayWrite: boolean }) {
  const list = useQuery(webhookEndpointsQueryOptions(accountId));
  const [isAdding, setAdding] = useState(false);
  const [status, setStatus] = useState<string | null>(null);
  const endpoints = list.data?.endpoints;
  return (
    <Section
      title={words.title}
      actions={mayWrite && <Button onClick={() => setAdding(true)}>{words.add}</Button>}
    >
      <p className="text-muted">{words.intro}</p>
      <RemovableRows count={endpoints?.length ?? 0} status={status}>
        {list.isError && !endpoints ? (
          <LoadErrorNotice error={list.error} onRetry={() => void list.refetch()} />
        ) : !endpoints ? (
          <Skeleton rows={2} />
        ) : endpoints.length === 0 ? (
          <p className="text-muted">
            {words.empty} {mayWrite && words.emptyHelp}
          </p>
        ) : (
          <EndpointTable
            accountId={accountId}
            endpoints={endpoints}
            mayWrite={mayWrite}
            onDeleted={(url) => setStatus(words.deleted(maskUrlSecrets(url)))}
          />
        )}
      </RemovableRows>
      {isAdding && <EndpointDialog accountId={accountId} onClose={() => setAdding(false)} />}
    </Section>
  );
}

interface EndpointTableProps {
  accountId: string;
  endpoints: WebhookEndpoint[];
  mayWrite: boolean;
  onDeleted: (url: string) => void;
}

function EndpointTable({ accountId, endpoints, mayWrite, onDeleted }: EndpointTableProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [changing, setChanging] = useState<WebhookEndpoint | null>(null);
  const [deleting, setDeleting] = useState<WebhookEndpoint | null>(null);
  const test = useMutation({
    mutationFn: ({ id }: WebhookEndpoint) =>
      requestJson<ConsoleApiSchema<'TestEventDeliveryResponse'>>('POST', `webhook-endpoints/${id}/test`),
  });
  // Not called if somebody has gone on to another page.
  const showDelivery = ({ delivery_id: deliveryId }: ConsoleApiSchema<'TestEventDeliveryResponse'>) =>
    void navigate({ to: '/webhooks/deliveries/$deliveryId', params: { deliveryId } });
  const remove = useMutation({
    mutationFn: ({ id }: WebhookEndpoint) => requestJson<void>('DELETE', `webhook-endpoints/${id}`),
    onSuccess: async (_, { url }) => {
      await queryClient.invalidateQueries(webhookEndpointsQueryOptions(accountId));
      void queryClient.invalidateQueries({ queryKey: [accountId, 'deliveries'] });
      onDeleted(url);
      setDeleting(null);
    },
  });
  const columns: Column<WebhookEndpoint>[] = [
    {
      key: 'url',
      title: words.url,
      render: ({ url, description }) => (
        <>
          <WebhookUrlWithMaskedSecrets url={url} />
          {description !== '' && <div className="text-muted text-xs break-words">{description}</div>}
        </>
      ),
    },
    {
      key: 'events',
      title: words.events,
      render: ({ events }) => events.map((event) => texts.webhooks.events[event] ?? event).join(', '),
    },
    {
      key: 'state',
      title: words.state,
      render: ({ enabled }) => (
        <span className={enabled ? 'text-success' : 'text-muted'}>
          {enabled ? words.enabled : words.disabled}
        </span>
      ),
    },
    {
      key: 'created',
      title: words.createdBy,
      render: ({ created_at, created_by }) => <CreatedAtAndByCell at={created_at} by={created_by} />,
    },
  ];
  if (mayWrite)
    columns.push({
      key: 'actions',
      title: words.actions,
      titleHidden: true,
      render: (endpoint) => (
        <div className="flex flex-wrap gap-2 md:justify-end">
          <Button
            aria-label={words.testLabel(maskUrlSecrets(endpoint.url))}
            busy={test.isPending && test.variables.id === endpoint.id}
            onClick={() => test.mutate(endpoint, { onSuccess: showDelivery })}
          >
            {words.test}
          </Button>
          <Button
            aria-label={words.editLabel(maskUrlSecrets(endpoint.url))}
            onClick={() => setChanging(endpoint)}
          >
            {words.edit}
          </Button>
          <Button
            look="danger"
            aria-label={words.deleteLabel(maskUrlSecrets(endpoint.url))}
            onClick={() => setDeleting(endpoint)}
          >
            {words.delete}
          </Button>
        </div>
      ),
    });
  return (
    <>
      <ActionErrorNotice error={test.error} />
      <Table label={words.title} columns={columns} rows={endpoints} keyOf={({ id }) => id} />
      {changing && (
        <EndpointDialog accountId={accountId} endpoint={changing} onClose={() => setChanging(null)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={words.deleteTitle}
          text={words.deleteText(maskUrlSecrets(deleting.url))}
          action={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
