import { createContext, type ReactNode, useEffect, useId, useRef } from 'react';
import { texts } from '../texts/index.ts';

interface PageProps {
  title: string;
  intro?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** Whether the navigation is above the page. */
export const IsInsideShellContext = createContext(false);

/** A page of the shell. Its heading gets the focus, so that screen readers announce the page. */
export function Page({ title, intro, actions, children }: PageProps) {
  const heading = usePageTitle(title);
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} dir="auto" className="text-xl font-semibold wrap-anywhere">
            {title}
          </h1>
          {intro !== undefined && <p className="text-muted wrap-anywhere">{intro}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}

/** A page without the shell, such as sign-in. */
export function StandalonePage({ title, intro, children }: Omit<PageProps, 'actions'>) {
  const heading = usePageTitle(title);
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-md flex-col justify-center gap-4 px-4 py-10">
      <p className="text-muted font-medium">
        {texts.product} · {texts.console}
      </p>
      <div className="border-line bg-surface flex flex-col gap-4 rounded-lg border p-5 shadow-sm sm:p-6">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="text-xl font-semibold wrap-anywhere">
            {title}
          </h1>
          {intro !== undefined && <p className="text-muted mt-1 wrap-anywhere">{intro}</p>}
        </div>
        {children}
      </div>
    </main>
  );
}

export function Section({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="border-line bg-surface flex flex-col gap-3 rounded-lg border p-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-base font-semibold wrap-anywhere">
          {title}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

function usePageTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${texts.console}`;
    // A field with autofocus keeps the focus.
    if (!(document.activeElement instanceof HTMLInputElement))
      heading.current?.focus({ preventScroll: true });
  }, [title]);
  return heading;
}
