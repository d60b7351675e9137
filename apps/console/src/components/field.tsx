import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import { formatNumber } from '../lib/numbers.ts';
import { texts } from '../texts/index.ts';

const CONTROL =
  'min-h-9 w-full rounded-md border border-control bg-surface px-2.5 py-1.5 text-ink aria-invalid:border-danger';

interface FieldProps {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
}

function Labelled({ id, label, help, error, children }: FieldProps & { id: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children}
      {help !== undefined && (
        <p id={`${id}-help`} className="text-muted text-xs">
          {help}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

/** Gives the focus to the first field with an error, so that the response to a form is read where it is mended. */
function useFocusOnError(id: string, error: string | undefined): void {
  useEffect(() => {
    if (error === undefined) return;
    const first = document.querySelector<HTMLElement>('[aria-invalid=true]');
    if (first?.id === id) first.focus();
  }, [id, error]);
}

function describe(id: string, { help, error }: FieldProps) {
  const ids = [help !== undefined && `${id}-help`, error !== undefined && `${id}-error`].filter(Boolean);
  return {
    'aria-invalid': error !== undefined || undefined,
    'aria-describedby': ids.length > 0 ? ids.join(' ') : undefined,
  };
}

interface TextFieldProps extends FieldProps, InputHTMLAttributes<HTMLInputElement> {
  /** In place of `maxLength`, which cuts off what is pasted: more is shown, and cannot be sent. */
  maxCharacters?: number;
}

export function TextField({ label, help, error, maxCharacters, ...rest }: TextFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const count = [...String(rest.value ?? '').trim()].length;
  const tooLong =
    maxCharacters !== undefined && count > maxCharacters
      ? texts.errors.tooLong(formatNumber(count), formatNumber(maxCharacters))
      : undefined;
  useFocusOnError(id, error);
  useEffect(() => input.current?.setCustomValidity(tooLong ?? ''), [tooLong]);
  const shown = tooLong ?? error;
  return (
    <Labelled id={id} label={label} help={help} error={shown}>
      <input
        ref={input}
        id={id}
        className={CONTROL}
        {...describe(id, { label, help, error: shown })}
        {...rest}
      />
    </Labelled>
  );
}

export function PasswordField({
  label,
  help,
  error,
  ...rest
}: FieldProps & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  useFocusOnError(id, error);
  const [isShown, setShown] = useState(false);
  return (
    <Labelled id={id} label={label} help={help} error={error}>
      <div className="flex gap-2">
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          maxLength={1_000}
          className={CONTROL}
          {...describe(id, { label, help, error })}
          {...rest}
        />
        <button
          type="button"
          aria-controls={id}
          aria-label={`${isShown ? texts.password.hide : texts.password.show}: ${label}`}
          className="text-accent hover:bg-raised rounded-md px-2"
          onClick={() => setShown(!isShown)}
        >
          {isShown ? texts.password.hide : texts.password.show}
        </button>
      </div>
    </Labelled>
  );
}

export function SelectField({
  label,
  help,
  error,
  children,
  ...rest
}: FieldProps & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  useFocusOnError(id, error);
  return (
    <Labelled id={id} label={label} help={help} error={error}>
      <select id={id} className={CONTROL} {...describe(id, { label, help, error })} {...rest}>
        {children}
      </select>
    </Labelled>
  );
}

export function TextAreaField({
  label,
  help,
  error,
  ...rest
}: FieldProps & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  useFocusOnError(id, error);
  return (
    <Labelled id={id} label={label} help={help} error={error}>
      <textarea id={id} rows={3} className={CONTROL} {...describe(id, { label, help, error })} {...rest} />
    </Labelled>
  );
}

export function CheckboxField({
  label,
  help,
  ...rest
}: Omit<FieldProps, 'error'> & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className="flex gap-2">
      <input
        id={id}
        type="checkbox"
        className="accent-accent mt-0.5 size-5 shrink-0"
        {...describe(id, { label, help })}
        {...rest}
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {help !== undefined && (
          <p id={`${id}-help`} className="text-muted text-xs">
            {help}
          </p>
        )}
      </div>
    </div>
  );
}
