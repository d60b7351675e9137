import type { FieldError } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { CheckboxField, SelectField, TextAreaField, TextField } from '../../components/field.tsx';
import { Section } from '../../components/page.tsx';
import {
  DEFAULT_JOB_OPTIONS_FORM_VALUES,
  type JobOptionsFormValues,
  MODELS,
  MULTICHANNEL_MODES,
  OUTPUT_TYPES,
  TIERS,
} from '../../jobs/job-options.ts';
import { findFieldErrorMessage } from '../../lib/field-error.ts';
import { texts } from '../../texts/index.ts';
import { RedactField } from './redact-field.tsx';
import { SpeakerCountFields } from './speaker-count-fields.tsx';
import { VocabularyField } from './vocabulary-field.tsx';

interface OptionsFormProps {
  accountId: string;
  value: JobOptionsFormValues;
  onChange: (value: JobOptionsFormValues) => void;
  /** Errors of the last request, by the names of the options that the service rejected. */
  errors: readonly FieldError[];
}

/** Every option of a job. */
export function OptionsForm({ accountId, value, onChange, errors }: OptionsFormProps) {
  const t = texts.transcribe;
  const set = (change: Partial<JobOptionsFormValues>) => onChange({ ...value, ...change });
  return (
    <Section
      title={t.options}
      actions={<Button onClick={() => onChange(DEFAULT_JOB_OPTIONS_FORM_VALUES)}>{t.reset}</Button>}
    >
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <div className="flex flex-col gap-4">
          <SelectField
            label={t.outputType}
            help={t.outputTypeHelp}
            value={value.output_type}
            onChange={({ target }) =>
              set({ output_type: OUTPUT_TYPES.find((each) => each === target.value) ?? 'json' })
            }
          >
            {OUTPUT_TYPES.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </SelectField>
          <CheckboxField
            label={t.wordTimestamps}
            help={t.wordTimestampsHelp}
            checked={value.word_timestamps}
            onChange={({ target }) => set({ word_timestamps: target.checked })}
          />
          <CheckboxField
            label={t.speakerLabels}
            help={t.speakerLabelsHelp}
            checked={value.speaker_labels}
            onChange={({ target }) => set({ speaker_labels: target.checked })}
          />
          <SpeakerCountFields value={value} onChange={set} errors={errors} />
          <CheckboxField
            label={t.nltk}
            help={t.nltkHelp}
            checked={value.nltk}
            onChange={({ target }) => set({ nltk: target.checked })}
          />
          <CheckboxField
            label={t.fillerWords}
            help={t.fillerWordsHelp}
            checked={value.filler_words}
            onChange={({ target }) => set({ filler_words: target.checked })}
          />
          <RedactField value={value.redact} onChange={(redact) => set({ redact })} />
        </div>
        <div className="flex flex-col gap-4">
          <div className="grid grid-cols-2 gap-4">
            <SelectField
              label={t.model}
              help={t.modelHelp}
              value={value.model}
              onChange={({ target }) => set({ model: target.value })}
            >
              {MODELS.map((model) => (
                <option key={model}>{model}</option>
              ))}
            </SelectField>
            <SelectField
              label={t.tier}
              help={t.tierHelp}
              value={value.tier}
              onChange={({ target }) => set({ tier: target.value })}
            >
              {TIERS.map((tier) => (
                <option key={tier}>{tier}</option>
              ))}
            </SelectField>
          </div>
          <SelectField
            label={t.multichannel}
            help={t.multichannelHelp}
            value={String(value.multichannel)}
            onChange={({ target }) =>
              set({
                multichannel: MULTICHANNEL_MODES.find((mode) => String(mode) === target.value) ?? 'auto',
              })
            }
          >
            {MULTICHANNEL_MODES.map((mode) => (
              <option key={String(mode)} value={String(mode)}>
                {t.multichannelModes[`${mode}`]}
              </option>
            ))}
          </SelectField>
          <VocabularyField
            accountId={accountId}
            error={findFieldErrorMessage(errors, 'vocabulary')}
            value={value.vocabulary}
            onChange={(vocabulary) => set({ vocabulary })}
          />
          <TextAreaField
            label={t.terms}
            help={t.termsHelp}
            error={findFieldErrorMessage(errors, 'custom_vocabulary')}
            value={value.terms}
            onChange={({ target }) => set({ terms: target.value })}
          />
          <TextField
            label={t.callbackUrl}
            help={t.callbackUrlHelp}
            error={findFieldErrorMessage(errors, 'callback_url')}
            type="url"
            inputMode="url"
            value={value.callback_url}
            onChange={({ target }) => set({ callback_url: target.value })}
          />
          <TextAreaField
            label={t.metadata}
            help={t.metadataHelp}
            error={findFieldErrorMessage(errors, 'metadata')}
            value={value.metadata}
            onChange={({ target }) => set({ metadata: target.value })}
          />
        </div>
      </div>
    </Section>
  );
}
