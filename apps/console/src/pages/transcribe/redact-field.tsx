import { CheckboxField } from '../../components/field.tsx';
import { REDACTION_KINDS, type RedactionKind } from '../../jobs/job-options.ts';
import { texts } from '../../texts/index.ts';

interface RedactFieldProps {
  value: readonly RedactionKind[];
  onChange: (value: RedactionKind[]) => void;
}

/** What is replaced by marks in the transcript. */
export function RedactField({ value, onChange }: RedactFieldProps) {
  const t = texts.transcribe;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="text-sm font-medium">{t.redact}</legend>
      <p className="text-muted text-xs">{t.redactHelp}</p>
      <div className="grid grid-cols-2 gap-2">
        {REDACTION_KINDS.map((kind) => (
          <CheckboxField
            key={kind}
            label={t.redactionKinds[kind]}
            checked={value.includes(kind)}
            onChange={({ target }) =>
              onChange(
                REDACTION_KINDS.filter((each) => (each === kind ? target.checked : value.includes(each))),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  );
}
