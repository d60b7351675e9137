import { useId } from 'react';
import type { FieldError } from '../../api/client.ts';
import { TextField } from '../../components/field.tsx';
import { type JobOptionsFormValues, SPEAKER_COUNT_OPTION_NAMES } from '../../jobs/job-options.ts';
import { findFieldErrorMessage } from '../../lib/field-error.ts';
import { texts } from '../../texts/index.ts';

interface SpeakerCountFieldsProps {
  value: JobOptionsFormValues;
  onChange: (change: Partial<JobOptionsFormValues>) => void;
  errors: readonly FieldError[];
}

/** How many speakers a recording has. */
export function SpeakerCountFields({ value, onChange, errors }: SpeakerCountFieldsProps) {
  const t = texts.transcribe;
  const helpId = useId();
  return (
    <div
      role="group"
      aria-label={t.speakerCountsLabel}
      aria-describedby={helpId}
      className="flex flex-col gap-1"
    >
      <div className="grid grid-cols-3 items-end gap-4">
        {SPEAKER_COUNT_OPTION_NAMES.map((name) => (
          <TextField
            key={name}
            label={t.speakerCounts[name]}
            error={findFieldErrorMessage(errors, name)}
            inputMode="numeric"
            disabled={!value.speaker_labels}
            value={value[name]}
            onChange={({ target }) => onChange({ [name]: target.value })}
          />
        ))}
      </div>
      <p id={helpId} className="text-muted text-xs">
        {t.speakerCountsHelp}
      </p>
    </div>
  );
}
