import type { RefObject } from 'react';
import { Button } from '../../components/button.tsx';
import { texts } from '../../texts/index.ts';

interface SearchBarProps {
  input: RefObject<HTMLInputElement | null>;
  query: string;
  onQuery: (query: string) => void;
  count: number;
  current: number;
  onMove: (step: 1 | -1) => void;
}

export function SearchBar({ input, query, onQuery, count, current, onMove }: SearchBarProps) {
  const t = texts.transcript;
  return (
    <search className="flex flex-wrap items-center gap-2 max-sm:w-full">
      <input
        ref={input}
        type="search"
        aria-label={t.searchField}
        placeholder={t.search}
        value={query}
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          onMove(event.shiftKey ? -1 : 1);
        }}
        className="border-control bg-surface min-h-9 w-full min-w-0 rounded-md border px-2.5 sm:w-64"
      />
      {query.trim() !== '' && (
        <>
          <p role="status" className="text-muted tabular-nums">
            {count === 0 ? t.noMatch : t.matches(current + 1, count)}
          </p>
          <Button aria-label={t.previous} disabled={count === 0} onClick={() => onMove(-1)}>
            ↑
          </Button>
          <Button aria-label={t.next} disabled={count === 0} onClick={() => onMove(1)}>
            ↓
          </Button>
        </>
      )}
    </search>
  );
}
