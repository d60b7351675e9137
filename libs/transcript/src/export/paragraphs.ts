import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';
import { buildSegmentsWithSpeakerNames } from '../speaker-names/speaker-names.js';
import { sanitizeToSingleLine } from '../text/sanitize-to-single-line.js';
import { extractPrimaryLanguageSubtag } from '../text/extract-primary-language-subtag.js';
import { joinSentences } from '../text/join-words.js';
import { groupIntoParagraphs, type SegmentGroup } from '../groups/group-segments.js';
import { formatSecondsAsClock } from './format-clock.js';
import { isRightToLeft } from './text-direction.js';
import { UNKNOWN_SPEAKER } from './unknown-speaker.js';

/** Sentences of one speaker; all texts are clean. */
export interface Paragraph {
  /** `HH:MM:SS` of the first word. */
  time: string;
  /** Seconds; start of the first word. */
  start: number;
  speaker: string | null;
  /** True for the first paragraph and at speaker changes, also to an unknown speaker. */
  newSpeaker: boolean;
  /** Name above the paragraph; null without a change, and before the first known speaker. */
  heading: string | null;
  text: string;
  rightToLeft: boolean;
  /** Two or three letters, null where unknown. */
  language: string | null;
}

/** Paragraphs of `groupIntoParagraphs`, by the names of the speakers. */
export function buildParagraphs(document: TranscriptDocument): Paragraph[] {
  const segments = buildSegmentsWithSpeakerNames(document)
    .map(toSegmentWithCleanText)
    .filter(({ text }) => text !== '');
  const groups = groupIntoParagraphs(segments);
  return groups.map((group, index) => toParagraph(group, groups[index - 1]));
}

/** Copies only the fields that are needed: `words` may be built on access. */
function toSegmentWithCleanText({
  id,
  start,
  end,
  text,
  language,
  speaker,
  channel,
}: TranscriptSegment): TranscriptSegment {
  return {
    id,
    start,
    end,
    text: sanitizeToSingleLine(text),
    language,
    speaker,
    channel,
    confidence: null,
    words: null,
  };
}

function toParagraph(group: SegmentGroup, before: SegmentGroup | undefined): Paragraph {
  const [first] = group;
  const text = joinSentences(group.map((segment) => segment.text));
  const speaker = first.speaker === null ? null : sanitizeToSingleLine(first.speaker);
  const newSpeaker = first.speaker !== before?.[0].speaker;
  const heading = speaker ?? (before === undefined ? null : UNKNOWN_SPEAKER);
  return {
    time: formatSecondsAsClock(first.start),
    start: first.start,
    speaker,
    newSpeaker,
    heading: newSpeaker ? heading : null,
    text,
    rightToLeft: isRightToLeft(text, first.language),
    language: extractPrimaryLanguageSubtag(first.language),
  };
}

/** The summary says if the transcript has no speech, because an otherwise empty page looks like a fault. */
export function formatDocumentSummary({
  created_at,
  duration,
  languages,
  segments,
}: TranscriptDocument): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(created_at)?.[0];
  const noSpeech = segments.length === 0 ? 'no speech found' : '';
  return sanitizeToSingleLine(
    [day, formatSecondsAsClock(duration), languages.join(', '), noSpeech].filter(Boolean).join(' · '),
  );
}
