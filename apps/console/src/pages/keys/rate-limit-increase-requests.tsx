import { useQuery } from '@tanstack/react-query';
import {
  type Key,
  type RateLimitIncreaseRequestItem,
  rateLimitIncreaseRequestsQueryOptions,
} from '../../api/keys.ts';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.keys.requests;

/** What was asked for, and what the operator decided. */
export function RateLimitIncreaseRequestsSection({ accountId, keys }: { accountId: string; keys: Key[] }) {
  const requests = useQuery(rateLimitIncreaseRequestsQueryOptions(accountId));
  const columns: Column<RateLimitIncreaseRequestItem>[] = [
    {
      key: 'key',
      title: words.key,
      render: ({ key_id }) => (
        <span className="break-words">{keys.find(({ id }) => id === key_id)?.name ?? key_id}</span>
      ),
    },
    {
      key: 'limit',
      title: words.limit,
      render: ({ limit, requests_per_minute }) =>
        texts.keys.perMinute(limit, formatNumber(requests_per_minute)),
    },
    {
      key: 'reason',
      title: words.reason,
      render: ({ reason }) => <span className="break-words">{reason}</span>,
    },
    { key: 'state', title: words.state, render: ({ state }) => words.states[state] ?? state },
    {
      key: 'answer',
      title: words.answer,
      render: ({ answer }) => <span className="break-words">{answer}</span>,
    },
    {
      key: 'asked',
      title: words.asked,
      render: ({ created_at, requested_by }) => (
        <>
          <Time value={created_at} relative />
          {requested_by && (
            <div className="text-muted text-xs break-all">{requested_by.name || requested_by.email}</div>
          )}
        </>
      ),
    },
  ];
  return (
    <Section title={words.title}>
      <p className="text-muted">{words.intro}</p>
      {requests.isError && !requests.data ? (
        <LoadErrorNotice error={requests.error} onRetry={() => void requests.refetch()} />
      ) : !requests.data ? (
        <Skeleton rows={2} />
      ) : requests.data.length === 0 ? (
        <p className="text-muted">{words.empty}</p>
      ) : (
        <Table label={words.title} columns={columns} rows={requests.data} keyOf={({ id }) => id} />
      )}
    </Section>
  );
}
