import { useEffect, useState } from 'react';
import { texts } from '../texts/index.ts';

const DELAY_MS = 200;

/** Rows in place of data, once loading takes longer than a moment. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" className="flex min-h-40 flex-col gap-3 py-2">
      <span className="sr-only">{texts.loading}</span>
      {isShown && Array.from({ length: rows }, (_, row) => <div key={row} className="skeleton h-7" />)}
    </div>
  );
}
