import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/client.ts';
import { auditEventsInfiniteQueryOptions, sessionQueryOptions } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { DayRangeFields } from '../../components/day-range-fields.tsx';
import { SelectField } from '../../components/field.tsx';
import { Page } from '../../components/page.tsx';
import { PagedTable } from '../../components/paged-table.tsx';
import type { Column } from '../../components/table.tsx';
import { TextFilterField } from '../../components/text-filter-field.tsx';
import { toLocalDayStartIso } from '../../lib/day-start.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';
import { IP_ADDRESS_COLUMN, WHEN_COLUMN } from './audit-columns.tsx';
import { AuditTarget, TARGET_NAME_FIELDS, useKeyAndMemberNames } from './audit-target.tsx';
import { describeAuditDetails } from './describe-audit-details.ts';
import { toActorFilter, ActorFilterField } from './who-field.tsx';

const WHO_AND_WHAT: Column<AuditEvent>[] = [
  {
    key: 'who',
    title: texts.audit.who,
    render: ({ actor }) => (
      <>
        <div className="wrap-anywhere md:min-w-36">{actor.name ?? actor.id}</div>
        <div className="text-muted text-xs">{texts.audit.kinds[actor.kind] ?? actor.kind}</div>
      </>
    ),
  },
  {
    key: 'what',
    title: texts.audit.what,
    render: ({ action, details }) => (
      <>
        <div className="md:min-w-40" title={action}>
          {texts.audit.actions[action] ?? action}
        </div>
        <div className="text-muted text-xs wrap-anywhere">
          {describeAuditDetails(details ?? {}, TARGET_NAME_FIELDS)}
        </div>
      </>
    ),
  },
];

export function AuditPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const account = session.account ?? { id: '', name: '' };
  const names = useKeyAndMemberNames(account.id);
  const filter = useSearch({ from: '/shell/audit' });
  const navigate = useNavigate();
  const events = useInfiniteQuery(
    auditEventsInfiniteQueryOptions(account.id, {
      action: filter.action,
      ...toActorFilter(filter.who),
      target: filter.target,
      since: filter.since && toLocalDayStartIso(filter.since, 0),
      until: filter.until && toLocalDayStartIso(filter.until, 1),
    }),
  );
  const change = (changes: Partial<typeof filter>) =>
    void navigate({ to: '/audit', search: { ...filter, ...changes }, replace: true });
  const rows = events.data?.pages.flatMap((page) => page.events);
  const target: Column<AuditEvent> = {
    key: 'target',
    title: texts.audit.target,
    render: (event) => <AuditTarget event={event} names={names} account={account} />,
  };
  const isFiltered = Boolean(filter.action ?? filter.who ?? filter.target ?? filter.since ?? filter.until);
  const filters = useFocusAfterRemoval<HTMLFormElement>(Number(isFiltered));
  const isForbidden = events.error instanceof ApiError && events.error.status === 403;
  return (
    <Page title={texts.audit.title} intro={texts.audit.intro}>
      <form
        ref={filters}
        tabIndex={-1}
        hidden={isForbidden}
        className="filters"
        onSubmit={(event) => event.preventDefault()}
      >
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
        <ActorFilterField accountId={account.id} value={filter.who} onChange={(who) => change({ who })} />
        <TextFilterField
          label={texts.audit.targetId}
          value={filter.target ?? ''}
          onChange={(id) => change({ target: id || undefined })}
        />
        <DayRangeFields range={filter} onChange={change} />
        {isFiltered && (
          <Button
            onClick={() =>
              change({
                action: undefined,
                who: undefined,
                target: undefined,
                since: undefined,
                until: undefined,
              })
            }
          >
            {texts.audit.clear}
          </Button>
        )}
      </form>
      <PagedTable
        label={texts.audit.title}
        query={events}
        rows={rows}
        columns={[WHEN_COLUMN, ...WHO_AND_WHAT, target, IP_ADDRESS_COLUMN]}
        keyOf={({ id }) => String(id)}
        empty={isFiltered ? texts.audit.emptyFiltered : texts.audit.empty}
        more={texts.audit.more}
      />
    </Page>
  );
}
