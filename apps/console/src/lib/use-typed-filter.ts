import { useEffect, useRef, useState } from 'react';

const TYPING_MS = 300;

interface TypedFilter {
  /** What the field shows. */
  shown: string;
  /** @param filter null if what was typed is no filter (yet) */
  onTyped: (text: string, filter: string | null) => void;
  onLeft: () => void;
}

/**
 * A filter that changes when typing pauses, or its field loses the focus. Meanwhile the field has what was typed: the filter
 * comes back by the URL, later than the next key.
 */
export function useTypedFilter(value: string, onChange: (filter: string) => void): TypedFilter {
  const [typed, setTyped] = useState<{ text: string; filter: string | null } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    shown: typed?.text ?? value,
    onTyped: (text, filter) => {
      setTyped({ text, filter });
      clearTimeout(timer.current);
      if (filter !== null) timer.current = setTimeout(() => onChange(filter), TYPING_MS);
    },
    onLeft: () => {
      clearTimeout(timer.current);
      const filter = typed?.filter ?? null;
      if (filter !== null && filter !== value) onChange(filter);
      setTyped(null);
    },
  };
}
