import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { auditQuery, sessionQuery } from '../api/queries.ts';
import type { AuditEvent } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { SelectField, TextField } from '../components/field.tsx';
import { LoadError } from '../components/notice.tsx';
import { Page } from '../components/page.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { texts } from '../texts.ts';

const COLUMNS: Column<AuditEvent>[] = [
  { key: 'when', title: texts.audit.when, render: ({ at }) => <Time value={at} /> },
  {
    key: 'who',
    title: texts.audit.who,
    render: ({ actor }) => (
      <>
        <div className="break-all">{actor.name ?? actor.id}</div>
        <div className="text-muted text-xs">{texts.audit.kinds[actor.kind] ?? actor.kind}</div>
      </>
    ),
  },
  {
    key: 'what',
    title: texts.audit.what,
    render: ({ action, details }) => (
      <>
        <code className="text-xs">{action}</code>
        {details && Object.keys(details).length > 0 && (
          <div className="text-muted text-xs break-all">{formatDetails(details)}</div>
        )}
      </>
    ),
  },
  {
    key: 'target',
    title: texts.audit.target,
    render: ({ target }) => <span className="text-xs break-all">{target}</span>,
  },
  {
    key: 'from',
    title: texts.audit.from,
    render: ({ address }) => <span className="text-xs">{address}</span>,
  },
];

export function AuditPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const filter = useSearch({ from: '/shell/audit' });
  const navigate = useNavigate();
  const events = useInfiniteQuery(
    auditQuery(session.account?.id ?? '', {
      action: filter.action,
      since: filter.since && toDayStart(filter.since, 0),
      until: filter.until && toDayStart(filter.until, 1),
    }),
  );
  const change = (changes: Partial<typeof filter>) =>
    void navigate({ to: '/audit', search: { ...filter, ...changes }, replace: true });
  const rows = events.data?.pages.flatMap((page) => page.events);
  const isFiltered = Boolean(filter.action ?? filter.since ?? filter.until);
  return (
    <Page title={texts.audit.title} intro={texts.audit.intro}>
      <form className="flex flex-wrap items-end gap-3" onSubmit={(event) => event.preventDefault()}>
        <SelectField
          label={texts.audit.action}
          value={filter.action ?? ''}
          onChange={(event) => change({ action: event.target.value || undefined })}
        >
          <option value="">{texts.audit.all}</option>
          {Object.entries(texts.audit.groups).map(([prefix, title]) => (
            <option key={prefix} value={prefix}>
              {title}
            </option>
          ))}
        </SelectField>
        <TextField
          label={texts.audit.since}
          type="date"
          value={filter.since ?? ''}
          onChange={(event) => change({ since: event.target.value || undefined })}
        />
        <TextField
          label={texts.audit.until}
          type="date"
          value={filter.until ?? ''}
          onChange={(event) => change({ until: event.target.value || undefined })}
        />
        {isFiltered && (
          <Button onClick={() => change({ action: undefined, since: undefined, until: undefined })}>
            {texts.audit.clear}
          </Button>
        )}
      </form>
      {events.isError && !rows ? (
        <LoadError error={events.error} onRetry={() => void events.refetch()} />
      ) : !rows ? (
        <Skeleton rows={8} />
      ) : rows.length === 0 ? (
        <p className="text-muted">{isFiltered ? texts.audit.emptyFiltered : texts.audit.empty}</p>
      ) : (
        <>
          <Table label={texts.audit.title} columns={COLUMNS} rows={rows} keyOf={({ id }) => String(id)} />
          {events.isFetchNextPageError && (
            <LoadError error={events.error} onRetry={() => void events.fetchNextPage()} />
          )}
          {events.hasNextPage && !events.isFetchNextPageError && (
            <Button
              className="self-center"
              busy={events.isFetchingNextPage}
              onClick={() => void events.fetchNextPage()}
            >
              {texts.audit.more}
            </Button>
          )}
        </>
      )}
    </Page>
  );
}

/** Midnight of the day, or of one of the next days, in the time zone of the browser. */
function toDayStart(day: string, later: number): string | undefined {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const time = new Date(year, month - 1, date + later);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function formatDetails(details: Record<string, unknown>): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}
