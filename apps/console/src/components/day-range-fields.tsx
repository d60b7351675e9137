import { useTypedFilter } from '../lib/use-typed-filter.ts';
import { texts } from '../texts/index.ts';
import { TextField } from './field.tsx';

/** Days as `YYYY-MM-DD`, both included. */
export interface DayRange {
  since?: string | undefined;
  until?: string | undefined;
}

export function DayRangeFields({
  range,
  onChange,
}: {
  range: DayRange;
  onChange: (change: DayRange) => void;
}) {
  return (
    <>
      <DayField label={texts.dayRange.since} day={range.since} onChange={(since) => onChange({ since })} />
      <DayField label={texts.dayRange.until} day={range.until} onChange={(until) => onChange({ until })} />
    </>
  );
}

interface DayFieldProps {
  label: string;
  day: string | undefined;
  onChange: (day: string | undefined) => void;
}

function DayField({ label, day, onChange }: DayFieldProps) {
  const { shown, onTyped, onLeft } = useTypedFilter(day ?? '', (typed) => onChange(typed || undefined));
  return (
    <TextField
      label={label}
      type="date"
      // The first digits of a year are a year, too.
      min="1000-01-01"
      max="9999-12-31"
      value={shown}
      onChange={({ target }) => onTyped(target.value, target.validity.valid ? target.value : null)}
      onBlur={onLeft}
    />
  );
}
