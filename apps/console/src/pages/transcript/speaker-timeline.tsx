import { useMemo } from 'react';
import type { TranscriptDocument } from '../../transcript/transcript-document.ts';

/** Width in units of the drawing; a segment is at least one of them. */
const WIDTH = 600;
const FILLS = [
  'fill-speaker-1',
  'fill-speaker-2',
  'fill-speaker-3',
  'fill-speaker-4',
  'fill-speaker-5',
  'fill-speaker-6',
] as const;

/** Who speaks when, over the whole recording. */
export function SpeakerTimeline({ document }: { document: TranscriptDocument }) {
  const spans = useMemo(() => listSpans(document), [document]);
  return (
    <svg aria-hidden viewBox={`0 0 ${WIDTH} 10`} preserveAspectRatio="none" className="h-3 w-full">
      {spans.map(({ from, to, color }) => (
        <rect key={from} x={from} width={to - from} height="10" className={FILLS[color % FILLS.length]} />
      ))}
    </svg>
  );
}

/** At most one span for each unit of the width, also for a recording of ten hours. */
function listSpans({ segments, speakers, duration }: TranscriptDocument) {
  const colors = new Map(speakers.map(({ id }, color) => [id, color]));
  const scale = WIDTH / Math.max(duration, 1e-3);
  const spans: { from: number; to: number; color: number }[] = [];
  for (const { start, end, speaker } of segments) {
    const last = spans.at(-1);
    const from = Math.max(Math.floor(start * scale), last?.to ?? 0);
    const to = Math.max(Math.ceil(end * scale), from);
    const color = colors.get(speaker ?? '') ?? 0;
    if (last && last.to === from && last.color === color) last.to = to;
    else if (to > from) spans.push({ from, to, color });
  }
  return spans;
}
