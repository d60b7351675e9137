import { useInfiniteQuery } from '@tanstack/react-query';
import { type LedgerEntry, ledgerInfiniteQueryOptions } from '../../api/billing.ts';
import { JobLink } from '../../components/job-link.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatSignedNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import { describeLedgerEntry } from './describe-ledger-entry.ts';

const COLUMNS: Column<LedgerEntry>[] = [
  { key: 'when', title: texts.billing.when, render: (entry) => <Time value={entry.created_at} /> },
  {
    key: 'entry',
    title: texts.billing.entry,
    render: (entry) => {
      const { label, note } = describeLedgerEntry(entry);
      return (
        <>
          {label}
          {note !== null && <div className="text-muted text-xs break-words">{note}</div>}
        </>
      );
    },
  },
  {
    key: 'job',
    title: texts.billing.job,
    render: ({ job_id: id }) =>
      id !== null && (
        <span className="text-xs">
          <JobLink jobId={id}>{id}</JobLink>
        </span>
      ),
  },
  {
    key: 'change',
    title: texts.billing.change,
    isNumeric: true,
    render: ({ amount }) => formatSignedNumber(amount),
  },
];

export function LedgerView({ accountId }: { accountId: string }) {
  const ledger = useInfiniteQuery(ledgerInfiniteQueryOptions(accountId));
  return (
    <>
      <p className="text-muted">{texts.billing.ledgerText}</p>
      <PagedTable
        label={texts.billing.ledger}
        query={ledger}
        rows={ledger.data?.pages.flatMap(({ entries }) => entries)}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        empty={texts.billing.emptyLedger}
        more={texts.billing.moreEntries}
      />
    </>
  );
}
