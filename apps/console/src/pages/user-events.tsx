import { useInfiniteQuery } from '@tanstack/react-query';
import { userEventsQuery } from '../api/queries.ts';
import type { AuditEvent } from '../api/types.ts';
import { Section } from '../components/page.tsx';
import { PagedTable } from '../components/paged-table.tsx';
import type { Column } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { texts } from '../texts/index.ts';
import { describeDetails } from './audit/describe-details.ts';

const COLUMNS: Column<AuditEvent>[] = [
  { key: 'when', title: texts.audit.when, render: ({ at }) => <Time value={at} /> },
  {
    key: 'what',
    title: texts.audit.what,
    render: ({ action, details }) => (
      <>
        <div>{texts.audit.actions[action] ?? action}</div>
        <div className="text-muted text-xs wrap-anywhere">{describeDetails(details ?? {}, [])}</div>
      </>
    ),
  },
  { key: 'from', title: texts.audit.from, render: ({ address }) => address },
];

/** Sign-ins and changes of what the user signs in with. */
export function UserEventsSection() {
  const events = useInfiniteQuery(userEventsQuery);
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
