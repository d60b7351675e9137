import type { ReactNode } from 'react';
import { useFocusAfterRemoval } from '../lib/use-focus-after-removal.ts';

interface RemovableRowsProps {
  count: number;
  /** What was done last, for those who do not see it; null for nothing. */
  status: string | null;
  children: ReactNode;
}

/** Around rows that buttons remove: the keyboard keeps its place, and screen readers say what was done. */
export function RemovableRows({ count, status, children }: RemovableRowsProps) {
  const container = useFocusAfterRemoval<HTMLDivElement>(count);
  return (
    <div ref={container} tabIndex={-1} className="flex flex-col gap-3">
      {children}
      <span role="status" className="sr-only">
        {status}
      </span>
    </div>
  );
}
