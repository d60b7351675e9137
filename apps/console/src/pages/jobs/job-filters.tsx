import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { apiKeyIdsAndNamesQueryOptions, JOB_STATUSES } from '../../api/jobs.ts';
import { Button } from '../../components/button.tsx';
import { DayRangeFields } from '../../components/day-range-fields.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';
import type { JobSearchParams } from './job-search.ts';

const TYPING_MS = 300;

interface JobFiltersProps {
  accountId: string;
  search: JobSearchParams;
  onChange: (changes: JobSearchParams) => void;
}

/** The filters of the list, which the address bar has. */
export function JobFilters({ accountId, search, onChange }: JobFiltersProps) {
  const keys = useQuery(apiKeyIdsAndNamesQueryOptions(accountId));
  const isFiltered = Object.values(search).some(Boolean);
  return (
    <search>
      <form className="filters" onSubmit={(event) => event.preventDefault()}>
        <div className="max-sm:basis-full">
          <TextFilter value={search.text ?? ''} onChange={(text) => onChange({ text: text || undefined })} />
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

/** Changes the filter when typing pauses, or the field loses the focus. */
function TextFilter({ value, onChange }: { value: string; onChange: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      label={texts.jobs.text}
      type="search"
      maxLength={200}
      value={typed ?? value}
      onChange={({ target }) => {
        setTyped(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onChange(target.value.trim()), TYPING_MS);
      }}
      onBlur={() => {
        clearTimeout(timer.current);
        if (typed !== null && typed.trim() !== value) onChange(typed.trim());
        setTyped(null);
      }}
    />
  );
}
