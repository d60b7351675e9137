import { useEffect, useRef, useState } from 'react';
import { TextField } from './field.tsx';

const TYPING_MS = 300;

interface TextFilterFieldProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
}

/** Changes the filter when typing pauses, or the field loses the focus. */
export function TextFilterField({ label, value, onChange }: TextFilterFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      label={label}
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
