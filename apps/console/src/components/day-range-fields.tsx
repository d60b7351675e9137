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
      <TextField
        label={texts.dayRange.since}
        type="date"
        value={range.since ?? ''}
        onChange={({ target }) => onChange({ since: target.value || undefined })}
      />
      <TextField
        label={texts.dayRange.until}
        type="date"
        value={range.until ?? ''}
        onChange={({ target }) => onChange({ until: target.value || undefined })}
      />
    </>
  );
}
