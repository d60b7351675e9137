import { useTypedFilter } from '../lib/use-typed-filter.ts';
import { TextField } from './field.tsx';

interface TextFilterFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

export function TextFilterField({ label, value, onChange }: TextFilterFieldProps) {
  const { shown, onTyped, onLeft } = useTypedFilter(value, onChange);
  return (
    <TextField
      label={label}
      type="search"
      maxLength={200}
      value={shown}
      onChange={({ target }) => onTyped(target.value, target.value.trim())}
      onBlur={onLeft}
    />
  );
}
