import type { TranscriptDocument, TranscriptSegment } from '../transcript-document.js';
import { replaceLabelsWithNames } from '../speakers/speaker-names.js';
import { cleanText } from '../text/clean-text.js';
import { joinWords } from '../text/join-words.js';
import { endsWithSentenceMark } from '../text/ends-with-sentence-mark.js';
import { formatClockSeconds } from './format-clock.js';
import { isRightToLeft } from './text-direction.js';

/** Sentences of one speaker; all texts are clean. */
export interface Paragraph {
  /** `HH:MM:SS` of the first word. */
  time: string;
  /** Seconds; start of the first word. */
  start: number;
  speaker: string | null;
  /** True for the first paragraph and at speaker changes, also to an unknown speaker. */
  newSpeaker: boolean;
  text: string;
  rightToLeft: boolean;
  /** Two or three letters, null where unknown. */
  language: string | null;
}

const PARAGRAPH_PAUSE_SECONDS = 2;
/** Limits of a paragraph, so that a time is printed at least once a minute. */
const MAX_PARAGRAPH_SECONDS = 60;
const MAX_PARAGRAPH_CHARACTERS = 600;

interface ParagraphDraft {
  first: TranscriptSegment;
  last: TranscriptSegment;
  texts: string[];
  characters: number;
}

/** Groups by speaker and language. A segment without a final mark ends its paragraph. */
export function buildParagraphs(document: TranscriptDocument): Paragraph[] {
  const drafts: ParagraphDraft[] = [];
  for (const segment of replaceLabelsWithNames(document)) {
    const text = cleanText(segment.text);
    if (text === '') continue;
    const open = drafts.at(-1);
    if (open && continuesParagraph(open, segment, text)) appendSegment(open, segment, text);
    else drafts.push({ first: segment, last: segment, texts: [text], characters: text.length });
  }
  return drafts.map((draft, index) => toParagraph(draft, drafts[index - 1]));
}

function continuesParagraph(
  { first, last, texts, characters }: ParagraphDraft,
  next: TranscriptSegment,
  text: string,
): boolean {
  return (
    next.speaker === first.speaker &&
    next.language === first.language &&
    next.start - last.end < PARAGRAPH_PAUSE_SECONDS &&
    next.end - first.start <= MAX_PARAGRAPH_SECONDS &&
    characters + text.length <= MAX_PARAGRAPH_CHARACTERS &&
    endsWithSentenceMark(texts.at(-1) ?? '')
  );
}

function appendSegment(draft: ParagraphDraft, segment: TranscriptSegment, text: string): void {
  draft.texts.push(text);
  draft.characters += text.length;
  draft.last = segment;
}

function toParagraph({ first, texts }: ParagraphDraft, before: ParagraphDraft | undefined): Paragraph {
  const text = joinWords(texts);
  return {
    time: formatClockSeconds(first.start),
    start: first.start,
    speaker: first.speaker === null ? null : cleanText(first.speaker),
    newSpeaker: first.speaker !== before?.first.speaker,
    text,
    rightToLeft: isRightToLeft(text, first.language),
    language: primaryLanguage(first.language),
  };
}

export function buildSummary({ created_at, duration, languages }: TranscriptDocument): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(created_at)?.[0];
  return cleanText([day, formatClockSeconds(duration), languages.join(', ')].filter(Boolean).join(' · '));
}

/** Two or three letters, as `pt` of `pt-BR`; null without one. */
export function primaryLanguage(language: string | null): string | null {
  return /^[a-z]{2,3}(?![a-z])/i.exec(language ?? '')?.[0].toLowerCase() ?? null;
}
