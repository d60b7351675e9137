import { endsWithSentenceMark } from '../text/ends-with-sentence-mark.js';
import type { TranscriptSegment } from '../transcript-document.js';

/** Consecutive segments, not empty. */
export type SegmentGroup = readonly [TranscriptSegment, ...TranscriptSegment[]];

const PARAGRAPH_PAUSE_SECONDS = 2;
/** Limits of a paragraph, so that a time is printed at least once a minute. */
const MAX_PARAGRAPH_SECONDS = 60;
const MAX_PARAGRAPH_CHARACTERS = 600;

/** Groups consecutive segments of one speaker. */
export function groupIntoTurns(segments: readonly TranscriptSegment[]): SegmentGroup[] {
  return groupConsecutive(segments, ([first], next) => hasSameVoice(first, next));
}

/** Unknown speakers of different channels are different. */
function hasSameVoice(first: TranscriptSegment, next: TranscriptSegment): boolean {
  return next.speaker === first.speaker && next.channel === first.channel;
}

/** Groups by speaker, language, pause and length. A segment without a final mark ends its paragraph. */
export function groupIntoParagraphs(segments: readonly TranscriptSegment[]): SegmentGroup[] {
  let characters = 0;
  return groupConsecutive(segments, (group, next) => {
    const [first] = group;
    const last = group.at(-1) ?? first;
    if (group.length === 1) characters = first.text.length;
    const continues =
      hasSameVoice(first, next) &&
      next.language === first.language &&
      next.start - last.end < PARAGRAPH_PAUSE_SECONDS &&
      next.end - first.start <= MAX_PARAGRAPH_SECONDS &&
      characters + next.text.length <= MAX_PARAGRAPH_CHARACTERS &&
      endsWithSentenceMark(last.text);
    if (continues) characters += next.text.length;
    return continues;
  });
}

function groupConsecutive(
  segments: readonly TranscriptSegment[],
  continuesGroup: (group: SegmentGroup, next: TranscriptSegment) => boolean,
): SegmentGroup[] {
  const groups: [TranscriptSegment, ...TranscriptSegment[]][] = [];
  for (const segment of segments) {
    const group = groups.at(-1);
    if (group && continuesGroup(group, segment)) group.push(segment);
    else groups.push([segment]);
  }
  return groups;
}
