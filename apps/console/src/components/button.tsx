import type { ButtonHTMLAttributes } from 'react';

const STYLES = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong border-transparent',
  secondary: 'bg-surface text-ink hover:bg-raised border-control',
  danger: 'bg-surface text-danger hover:bg-danger-soft border-danger',
  plain: 'text-accent hover:bg-raised border-transparent',
} as const;

/** A link that looks like the primary button of a page. */
export const LINK_AS_PRIMARY_BUTTON_CLASSES = `inline-flex min-h-9 items-center rounded-md border px-3 py-1.5 font-medium whitespace-nowrap ${STYLES.primary}`;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: keyof typeof STYLES;
  /** Stays focusable, so that the focus is where it was when the request ends. */
  busy?: boolean;
}

export function Button({ look = 'secondary', busy = false, className = '', onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (busy) event.preventDefault();
        else onClick?.(event);
      }}
      className={`inline-flex min-h-9 items-center justify-center gap-2 rounded-md border px-3 py-1.5 font-medium whitespace-nowrap disabled:opacity-60 aria-busy:opacity-70 ${STYLES[look]} ${className}`}
      {...rest}
    />
  );
}
