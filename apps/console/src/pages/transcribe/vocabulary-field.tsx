import { useQuery } from '@tanstack/react-query';
import { vocabulariesQueryOptions } from '../../api/vocabularies.ts';
import { SelectField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';

interface VocabularyFieldProps {
  accountId: string;
  error: string | undefined;
  /** Name; empty for none. */
  value: string;
  onChange: (name: string) => void;
}

export function VocabularyField({ accountId, error, value, onChange }: VocabularyFieldProps) {
  const { data } = useQuery(vocabulariesQueryOptions(accountId));
  const names = data?.vocabularies.map(({ name }) => name) ?? [];
  // A chosen one that was deleted meanwhile stays visible, so that its error is understood.
  const options = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <SelectField
      label={texts.transcribe.savedVocabulary}
      help={texts.transcribe.savedVocabularyHelp}
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{texts.transcribe.noVocabulary}</option>
      {options.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </SelectField>
  );
}
