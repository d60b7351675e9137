import { SelectField, TextField } from '../../components/field.tsx';
import { findFieldMessageOfApiError } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.keys;
const DAY_MS = 86_400_000;
export const MAX_KEY_NAME_LENGTH = 80;
/** Those whose errors the fields show. */
export const CREATE_KEY_BODY_FIELD_NAMES = ['name', 'expires_at'];

export interface KeyFieldValues {
  name: string;
  /** Until its expiry; 0 for none. */
  days: number;
}

/** As the routes that create a key take it. */
export function toCreateKeyBody({ name, days }: KeyFieldValues): { name: string; expires_at: string | null } {
  return {
    name: name.trim(),
    expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
  };
}

interface KeyFieldsProps {
  values: KeyFieldValues;
  error: Error | null;
  onChange: (values: KeyFieldValues) => void;
}

/** Name and expiry of a new key. */
export function CreateKeyFields({ values, error, onChange }: KeyFieldsProps) {
  return (
    <>
      <TextField
        label={words.name}
        help={words.nameHelp}
        error={findFieldMessageOfApiError(error, 'name')}
        required
        maxCharacters={MAX_KEY_NAME_LENGTH}
        autoComplete="off"
        value={values.name}
        onChange={(event) => onChange({ ...values, name: event.target.value })}
      />
      <SelectField
        label={words.expiry}
        error={findFieldMessageOfApiError(error, 'expires_at')}
        value={values.days}
        onChange={(event) => onChange({ ...values, days: Number(event.target.value) })}
      >
        {Object.entries(words.expiries).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
    </>
  );
}
