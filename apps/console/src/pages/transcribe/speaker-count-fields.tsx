import { TextField } from '../../components/field.tsx';
import { fieldError } from '../../components/notice.tsx';
import { type JobOptionsForm, SPEAKER_COUNTS } from '../../jobs/job-options.ts';
import { texts } from '../../texts/index.ts';

interface SpeakerCountFieldsProps {
  value: JobOptionsForm;
  onChange: (change: Partial<JobOptionsForm>) => void;
  error: unknown;
}

/** How many speakers a recording has. */
export function SpeakerCountFields({ value, onChange, error }: SpeakerCountFieldsProps) {
  const t = texts.transcribe;
  return (
    <div className="grid grid-cols-3 gap-4">
      {SPEAKER_COUNTS.map((name, index) => (
        <TextField
          key={name}
          label={t.speakerCounts[name]}
          help={index === 0 ? t.speakerCountsHelp : undefined}
          error={fieldError(error, name)}
          inputMode="numeric"
          disabled={!value.speaker_labels}
          value={value[name]}
          onChange={({ target }) => onChange({ [name]: target.value })}
        />
      ))}
    </div>
  );
}
