import { useInfiniteQuery } from '@tanstack/react-query';
import { securityEventsInfiniteQueryOptions } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { Section } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { texts } from '../../texts/index.ts';
import { IP_ADDRESS_COLUMN, WHEN_COLUMN } from '../audit/audit-columns.tsx';
import { describeAuditDetails } from '../audit/describe-audit-details.ts';

const COLUMNS: Column<AuditEvent>[] = [
  WHEN_COLUMN,
  {
    key: 'what',
    title: texts.audit.what,
    render: ({ action, details }) => (
      <>
        <div>{texts.audit.actions[action] ?? action}</div>
        <div className="text-muted text-xs wrap-anywhere">{describeAuditDetails(details ?? {}, [])}</div>
      </>
    ),
  },
  IP_ADDRESS_COLUMN,
];

/** Sign-ins and changes of what the user signs in with. */
export function SecurityEventsSection() {
  const events = useInfiniteQuery(securityEventsInfiniteQueryOptions);
  return (
    <Section title={texts.profile.eventsTitle}>
      <PagedTable
        label={texts.profile.eventsTitle}
        query={events}
        rows={events.data?.pages.flatMap((page) => page.events)}
        columns={COLUMNS}
        keyOf={({ id }) => String(id)}
        empty={texts.audit.empty}
        more={texts.audit.more}
      />
    </Section>
  );
}
