import { texts } from '../texts/index.ts';
import { TextField } from './field.tsx';

interface UserEmailFieldProps {
  value: string;
  error?: string | undefined;
  onChange: (email: string) => void;
}

/** The mail address of who signs in, which browsers and password managers fill. */
export function SignInEmailField({ value, error, onChange }: UserEmailFieldProps) {
  return (
    <TextField
      label={texts.signIn.email}
      error={error}
      type="email"
      autoComplete="username"
      required
      autoFocus
      maxCharacters={254}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
