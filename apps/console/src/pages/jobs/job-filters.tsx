import { useQuery } from '@tanstack/react-query';
import { apiKeyIdsAndNamesQueryOptions, JOB_STATUSES } from '../../api/jobs.ts';
import { Button } from '../../components/button.tsx';
import { DayRangeFields } from '../../components/day-range-fields.tsx';
import { SelectField } from '../../components/field.tsx';
import { TextFilterField } from '../../components/text-filter-field.tsx';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { texts } from '../../texts/index.ts';
import type { JobSearchParams } from './job-search.ts';

interface JobFiltersProps {
  accountId: string;
  search: JobSearchParams;
  onChange: (changes: JobSearchParams) => void;
}

/** The filters of the list, which the address bar has. */
export function JobFilters({ accountId, search, onChange }: JobFiltersProps) {
  const keys = useQuery(apiKeyIdsAndNamesQueryOptions(accountId));
  const isFiltered = Object.values(search).some(Boolean);
  const filters = useFocusAfterRemoval<HTMLElement>(Number(isFiltered));
  return (
    <search ref={filters} tabIndex={-1}>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <div className="max-sm:basis-full">
          <TextFilterField
            label={texts.jobs.text}
            value={search.text ?? ''}
            onChange={(text) => onChange({ text: text || undefined })}
          />
        </div>
        <SelectField
          label={texts.jobs.status}
          value={search.status ?? ''}
          onChange={(event) => onChange({ status: event.target.value || undefined })}
        >
          <option value="">{texts.jobs.anyStatus}</option>
          {JOB_STATUSES.map((status) => (
            <option key={status} value={status}>
              {texts.jobs.statuses[status]}
            </option>
          ))}
        </SelectField>
        <div className="sm:max-w-60">
          <SelectField
            label={texts.jobs.key}
            value={search.key ?? ''}
            onChange={(event) => onChange({ key: event.target.value || undefined })}
          >
            <option value="">{texts.jobs.anyKey}</option>
            {keys.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
        </div>
        <DayRangeFields range={search} onChange={onChange} />
        {isFiltered && (
          <Button
            onClick={() =>
              onChange({
                text: undefined,
                status: undefined,
                key: undefined,
                since: undefined,
                until: undefined,
              })
            }
          >
            {texts.jobs.clear}
          </Button>
        )}
      </form>
    </search>
  );
}
