import type { TranscriptDocument } from '../document.js';
import { shownSegments } from '../speakers/names.js';
import { cleanText } from '../text/clean.js';
import { clockSeconds } from './clock.js';
import { readsRightToLeft } from './direction.js';

/** One segment, ready to be set on a page. All texts are clean. */
export interface Paragraph {
  /** `HH:MM:SS`. */
  time: string;
  speaker: string | null;
  /** True where another voice than before begins. */
  newSpeaker: boolean;
  text: string;
  rightToLeft: boolean;
  /** Two or three letters, null where unknown. */
  language: string | null;
}

export function toParagraphs(document: TranscriptDocument): Paragraph[] {
  const segments = shownSegments(document);
  return segments.map(({ start, speaker, text, language }, index) => {
    const clean = cleanText(text);
    return {
      time: clockSeconds(start),
      speaker: speaker === null ? null : cleanText(speaker),
      newSpeaker: speaker !== null && speaker !== segments[index - 1]?.speaker,
      text: clean,
      rightToLeft: readsRightToLeft(clean),
      language: /^[a-z]{2,3}(?![a-z])/i.exec(language ?? '')?.[0].toLowerCase() ?? null,
    };
  });
}

/** One line about the whole file: when, how long, in which languages. */
export function toSummary({ created_at, duration, languages }: TranscriptDocument): string {
  const day = /^\d{4}-\d\d-\d\d/.exec(created_at)?.[0];
  return cleanText([day, clockSeconds(duration), languages.join(', ')].filter(Boolean).join(' · '));
}
