import { joinWords } from '../text/join-words.js';
import type { TimelineWord, WordTimeline } from './timeline.js';

/** Seconds from the start of the file. */
export interface HallucinatedSpan {
  text: string;
  start: number;
  end: number;
}

/** Word times of engines are not more accurate: a word nearer to speech may belong to it. */
const SPEECH_MARGIN_SECONDS = 0.5;

/** Chunks without voice activity detection keep their words, and so do words whose times are only estimated. */
export function dropHallucinatedWords({ words, speech }: Pick<WordTimeline, 'words' | 'speech'>): {
  words: TimelineWord[];
  hallucinations: HallucinatedSpan[];
} {
  const kept: TimelineWord[] = [];
  const hallucinations: HallucinatedSpan[] = [];
  let open: HallucinatedSpan | null = null;
  for (const word of words) {
    if (word.estimated || !isOutsideSpeech(word, speech.get(word.chunk), SPEECH_MARGIN_SECONDS)) {
      kept.push(word);
      open = null;
    } else if (open) {
      open.text = joinWords([{ text: open.text }, word]);
      open.end = word.end;
    } else {
      open = { text: word.text, start: word.start, end: word.end };
      hallucinations.push(open);
    }
  }
  return { words: kept, hallucinations };
}

interface Span {
  start: number;
  end: number;
}

/** @param speech undefined if it was not detected @param margin seconds around speech that count as speech */
export function isOutsideSpeech(
  { start, end }: Span,
  speech: readonly Span[] | undefined,
  margin = 0,
): boolean {
  return (
    speech !== undefined && !speech.some((span) => span.start - margin <= end && start <= span.end + margin)
  );
}
