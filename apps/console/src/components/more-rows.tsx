import { useState } from 'react';
import { useFocusAfterRemoval } from '../lib/use-focus-after-removal.ts';
import { texts } from '../texts/index.ts';
import { Button } from './button.tsx';

interface MoreRowsProps {
  title: string;
  /** Rows above. */
  count: number;
  /** Whether there are more. */
  isShown: boolean;
  busy?: boolean;
  onMore: () => void;
}

/** The button below rows that shows more of them. When it goes, the keyboard stays where it was. */
export function MoreRows({ title, count, isShown, busy = false, onMore }: MoreRowsProps) {
  const place = useFocusAfterRemoval<HTMLDivElement>(Number(isShown));
  // Rows that were not asked for, such as those of another filter, are not announced.
  const [countBefore, setCountBefore] = useState<number | null>(null);
  if (countBefore !== null && count < countBefore) setCountBefore(null);
  const added = countBefore === null ? 0 : count - countBefore;
  return (
    <div ref={place} tabIndex={-1} className={isShown ? 'self-center' : 'absolute'}>
      <p role="status" className="sr-only">
        {added > 0 && texts.moreRows(added, count)}
      </p>
      {isShown && (
        <Button
          busy={busy}
          onClick={() => {
            setCountBefore(count);
            onMore();
          }}
        >
          {title}
        </Button>
      )}
    </div>
  );
}
