import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type MouseEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { texts } from '../../texts/index.ts';
import type { CorrectedTextBySegment } from '../../transcript/plain-text.ts';
import {
  type CorrectionDraft,
  deleteCorrectionDrafts,
  readCorrectionDrafts,
} from '../../transcript/correction-drafts.ts';
import type { SegmentCorrection } from '../../transcript/transcript-changes.ts';
import type { TextMatch } from '../../transcript/text-parts.ts';
import { getSpeakerName, type TranscriptDocument } from '../../transcript/transcript-document.ts';
import type { WordTimeIndex } from '../../transcript/word-time-index.ts';
import { SegmentRow } from './segment-row.tsx';

/** Pixels; rows are measured when they are shown. */
const ESTIMATED_HEIGHT = 56;

export interface SegmentListProps {
  document: TranscriptDocument;
  index: WordTimeIndex;
  corrections: CorrectedTextBySegment;
  matches: readonly TextMatch[];
  currentMatch: number;
  marksUncertain: boolean;
  canEdit: boolean;
  list: RefObject<HTMLOListElement | null>;
  /** Set to a function that shows a segment. */
  showSegment: RefObject<((segment: number) => void) | null>;
  userId: string;
  jobId: string;
  onSave: (correction: SegmentCorrection) => Promise<unknown>;
  onSeek: (seconds: number) => void;
}

/** The segments that the window shows, and a few around them. */
export function SegmentList(props: SegmentListProps) {
  const { document, index, corrections, list, showSegment, onSeek } = props;
  const { userId, jobId, canEdit } = props;
  // The draft of a field goes with it: the next one begins with the present text.
  const [edited, setEdited] = useState<ReadonlyMap<number, CorrectionDraft | null>>(() =>
    canEdit ? readCorrectionDrafts(userId, jobId) : new Map(),
  );
  const [top, setTop] = useState(0);
  const { segments } = document;
  // It returns functions that change; the compiler of React is not used.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useWindowVirtualizer({
    count: segments.length,
    estimateSize: () => ESTIMATED_HEIGHT,
    overscan: 4,
    scrollMargin: top,
    // What somebody types stays when they scroll.
    rangeExtractor: (range) =>
      edited.size === 0
        ? defaultRangeExtractor(range)
        : [...new Set([...edited.keys(), ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
  });
  useEffect(() => {
    if (canEdit) deleteCorrectionDrafts(jobId);
  }, [canEdit, jobId]);
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY));
    measure();
    // What is above the list may change its height.
    const observer = new ResizeObserver(measure);
    observer.observe(globalThis.document.body);
    return () => observer.disconnect();
  }, [list]);
  useLayoutEffect(() => {
    showSegment.current = (segment) => {
      if (!isInView(list.current, segment)) virtualizer.scrollToIndex(segment, { align: 'center' });
    };
    return () => {
      showSegment.current = null;
    };
  }, [showSegment, virtualizer, list]);
  const speakers = useMemo(
    () =>
      new Map(
        document.speakers.map(({ id }, color) => [id, { name: getSpeakerName(document, id) ?? id, color }]),
      ),
    [document],
  );
  const matchesBySegment = useMemo(
    () => groupMatches(props.matches, props.currentMatch),
    [props.matches, props.currentMatch],
  );
  const seekToWord = (event: MouseEvent) => {
    const word = (event.target as Element).closest<HTMLElement>('[data-word]')?.dataset['word'];
    if (word !== undefined && globalThis.getSelection()?.isCollapsed !== false)
      onSeek(index.starts[Number(word)] ?? 0);
  };
  const callbacks = useRef(props);
  callbacks.current = props;
  const stable = useMemo(
    () => ({
      onSave: (segment: number, text: string | null, replaces: string | null) =>
        callbacks.current.onSave({ segment, text, replaces }),
      onSeek: (seconds: number) => callbacks.current.onSeek(seconds),
      onEdit: (segment: number, isEdited: boolean) =>
        setEdited((before) => {
          const others = [...before].filter(([each]) => each !== segment);
          return new Map(isEdited ? [...others, [segment, null]] : others);
        }),
    }),
    [],
  );
  return (
    // By keyboard each segment has a button for the same.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <ol
      ref={list}
      aria-label={texts.transcript.list}
      onClick={seekToWord}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index: position, start }) => {
        const segment = segments[position];
        if (!segment) return null;
        const isTurn = position === 0 || segments[position - 1]?.speaker !== segment.speaker;
        return (
          <li
            key={position}
            ref={virtualizer.measureElement}
            data-index={position}
            aria-posinset={position + 1}
            aria-setsize={segments.length}
            className="absolute inset-x-0 top-0"
            style={{ transform: `translateY(${start - top}px)` }}
          >
            <SegmentRow
              segment={segment}
              position={position}
              firstWord={index.firstWords[position] ?? 0}
              speaker={isTurn ? (speakers.get(segment.speaker ?? '') ?? null) : null}
              correction={corrections.get(position) ?? null}
              matches={matchesBySegment.get(position) ?? null}
              marksUncertain={props.marksUncertain}
              canEdit={canEdit}
              userId={userId}
              jobId={jobId}
              draft={edited.get(position) ?? null}
              isEditing={edited.has(position)}
              onEdit={stable.onEdit}
              onSave={stable.onSave}
              onSeek={stable.onSeek}
            />
          </li>
        );
      })}
    </ol>
  );
}

function groupMatches(matches: readonly TextMatch[], current: number) {
  const groups = new Map<number, { from: number; to: number; isCurrent: boolean }[]>();
  for (const [position, { segment, from, to }] of matches.entries()) {
    const group = groups.get(segment) ?? [];
    group.push({ from, to, isCurrent: position === current });
    groups.set(segment, group);
  }
  return groups;
}

/** The lowest part of the window belongs to the player. */
function isInView(list: HTMLElement | null, segment: number): boolean {
  const row = list?.querySelector(`[data-segment="${segment}"]`)?.getBoundingClientRect();
  return row !== undefined && row.top >= 0 && row.bottom <= innerHeight * 0.75;
}
