import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Job } from '../../api/jobs.ts';
import { useMediaQuery } from '../../lib/use-media-query.ts';
import { texts } from '../../texts/index.ts';
import { JobRow, JOB_ROW_GRID_CLASSES } from './job-row.tsx';

/** Pixels, as in the rows' classes. */
const ROW_HEIGHTS = { wide: 48, narrow: 96 };
const RENDERED_BEYOND = 4;
/** Rows before the end at which older jobs are loaded. */
const LOAD_AHEAD = 40;

interface JobListProps {
  accountId: string;
  jobs: readonly Job[];
  hasMore: boolean;
  /** Whether the last attempt to load older ones failed. */
  hasFailed: boolean;
  onEndReached: () => void;
}

/** Renders the rows in view only, in a table for screen readers. Arrow keys move between rows. */
export function JobList({ accountId, jobs, hasMore, hasFailed, onEndReached }: JobListProps) {
  const list = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const isWide = useMediaQuery('(min-width: 48rem)');
  const height = isWide ? ROW_HEIGHTS.wide : ROW_HEIGHTS.narrow;
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [isWide]);
  // oxlint-disable-next-line react/incompatible-library -- no compiler memoizes this component
  const virtualizer = useWindowVirtualizer({
    count: jobs.length,
    estimateSize: () => height,
    overscan: RENDERED_BEYOND,
    scrollMargin: top,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, height]);
  const items = virtualizer.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last >= jobs.length - LOAD_AHEAD) onEndReached();
  }, [hasMore, last, jobs.length, onEndReached]);
  const moveFocus = useRowFocus(list, jobs.length, (index) => virtualizer.scrollToIndex(index));
  return (
    <>
      <p className="text-muted text-xs" id="job-list-help">
        {texts.jobs.shown(jobs.length, !hasMore)}
        <span className="pointer-coarse:sr-only max-md:sr-only"> · {texts.jobs.keyboard}</span>
      </p>
      <div
        role="grid"
        tabIndex={-1}
        aria-label={texts.jobs.title}
        aria-describedby="job-list-help"
        aria-rowcount={hasMore ? -1 : jobs.length + 1}
        className="border-line bg-surface rounded-lg border"
        onKeyDown={moveFocus}
      >
        <div role="rowgroup" className="max-md:sr-only">
          <div
            role="row"
            aria-rowindex={1}
            className={`${JOB_ROW_GRID_CLASSES} text-muted px-3 py-2 text-xs font-medium`}
          >
            {[texts.jobs.file, texts.jobs.status, texts.jobs.created, texts.jobs.duration, texts.jobs.by].map(
              (title) => (
                <span key={title} role="columnheader">
                  {title}
                </span>
              ),
            )}
          </div>
        </div>
        <div ref={list} role="rowgroup" className="relative" style={{ height: virtualizer.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const job = jobs[index];
            return (
              job && (
                <JobRow
                  key={job.job_id}
                  accountId={accountId}
                  job={job}
                  index={index}
                  offset={start - top}
                  height={height}
                />
              )
            );
          })}
        </div>
      </div>
      {hasMore && !hasFailed && (
        <p role="status" className="text-muted text-center">
          {texts.jobs.loadingMore}
        </p>
      )}
    </>
  );
}

const ROW_STEPS: Record<string, number> = {
  ArrowDown: 1,
  ArrowUp: -1,
  PageDown: 10,
  PageUp: -10,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
};

/** Moves the focus between rows, which may not be rendered yet. */
function useRowFocus(
  list: { current: HTMLElement | null },
  count: number,
  scrollTo: (index: number) => void,
): (event: KeyboardEvent) => void {
  const wanted = useRef<number | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"] a`);
    if (!link) return;
    link.focus({ preventScroll: true });
    wanted.current = null;
  });
  return (event) => {
    const step = ROW_STEPS[event.key];
    const row = (event.target as HTMLElement).closest<HTMLElement>('[data-index]');
    if (step === undefined || !row || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = Math.min(Math.max(Number(row.dataset['index']) + step, 0), count - 1);
    const link = list.current?.querySelector<HTMLElement>(`[data-index="${index}"] a`);
    if (link) link.focus({ preventScroll: true });
    else wanted.current = index;
    scrollTo(index);
  };
}
