import type { TranscriptDocument, TranscriptSegment } from '../document.js';
import { shownSegments } from '../speakers/names.js';
import { cleanText } from '../text/clean.js';
import { joinWords } from '../text/join.js';
import { endsWithMark } from '../text/sentence-end.js';
import { clockSeconds } from './clock.js';
import { readsRightToLeft } from './direction.js';

/** What one voice says in one go, ready to be set on a page. All texts are clean. */
export interface Paragraph {
  /** `HH:MM:SS` of its first word. */
  time: string;
  /** Seconds, likewise. */
  start: number;
  speaker: string | null;
  /** True where the transcript begins, and where another voice than before does, be it unknown. */
  newSpeaker: boolean;
  text: string;
  rightToLeft: boolean;
  /** Two or three letters, null where unknown. */
  language: string | null;
}

/** Seconds of silence that end a paragraph. */
const PAUSE = 2;
/** A paragraph grows up to these, so that there is a time to look for at least once a minute. */
const MOST_SECONDS = 60;
const MOST_CHARACTERS = 600;

interface Draft {
  first: TranscriptSegment;
  last: TranscriptSegment;
  texts: string[];
  characters: number;
}

/**
 * The transcript as people read it: whole sentences of one voice in one language follow each other in a paragraph.
 * What is not closed by a mark is an utterance between two pauses and stays by itself.
 */
export function toParagraphs(document: TranscriptDocument): Paragraph[] {
  const drafts: Draft[] = [];
  for (const segment of shownSegments(document)) {
    const text = cleanText(segment.text);
    if (text === '') continue;
    const open = drafts.at(-1);
    if (open && continues(open, segment, text)) append(open, segment, text);
    else drafts.push({ first: segment, last: segment, texts: [text], characters: text.length });
  }
  return drafts.map((draft, index) => toParagraph(draft, drafts[index - 1]));
}

function continues(
  { first, last, texts, characters }: Draft,
  next: TranscriptSegment,
  text: string,
): boolean {
  return (
    next.speaker === first.speaker &&
    next.language === first.language &&
    next.start - last.end < PAUSE &&
    next.end - first.start <= MOST_SECONDS &&
    characters + text.length <= MOST_CHARACTERS &&
    endsWithMark(texts.at(-1) ?? '')
  );
}

function append(draft: Draft, segment: TranscriptSegment, text: string): void {
  draft.texts.push(text);
  draft.characters += text.length;
  draft.last = segment;
}

function toParagraph({ first, texts }: Draft, before: Draft | undefined): Paragraph {
  const text = joinWords(texts);
  return {
    time: clockSeconds(first.start),
    start: first.start,
    speaker: first.speaker === null ? null : cleanText(first.speaker),
    newSpeaker: first.speaker !== before?.first.speaker,
    text,
    rightToLeft: readsRightToLeft(text, first.language),
    language: languageTag(first.language),
  };
}

/** One line about the whole file: when, how long, in which languages. */
export function toSummary({ created_at, duration, languages }: TranscriptDocument): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(created_at)?.[0];
  return cleanText([day, clockSeconds(duration), languages.join(', ')].filter(Boolean).join(' · '));
}

/** The language alone of a tag such as `pt-BR`, in two or three letters; null where there is none. */
export function languageTag(language: string | null): string | null {
  return /^[a-z]{2,3}(?![a-z])/i.exec(language ?? '')?.[0].toLowerCase() ?? null;
}
