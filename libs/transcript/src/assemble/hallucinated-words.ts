import type { TimelineWord, Timeline } from './timeline.js';

/** Text that an engine made up where nobody speaks. Seconds on the file's clock. */
export interface HallucinatedText {
  text: string;
  start: number;
  end: number;
}

/** Seconds. Engines place words no better than this; a word nearer to speech may be part of it. */
const SPEECH_MARGIN_SECONDS = 0.5;

/** Drops the words that lie where voice activity saw no speech. Chunks in which nothing looked for speech keep theirs. */
export function dropHallucinatedWords({ words, speech }: Pick<Timeline, 'words' | 'speech'>): {
  words: TimelineWord[];
  inventions: HallucinatedText[];
} {
  const kept: TimelineWord[] = [];
  const inventions: HallucinatedText[] = [];
  let open: HallucinatedText | null = null;
  for (const word of words) {
    if (!isOverSilence(word, speech.get(word.chunk))) {
      kept.push(word);
      open = null;
    } else if (open) {
      open.text += ` ${word.text}`;
      open.end = word.end;
    } else {
      open = { text: word.text, start: word.start, end: word.end };
      inventions.push(open);
    }
  }
  return { words: kept, inventions };
}

interface Span {
  start: number;
  end: number;
}

function isOverSilence({ start, end }: Span, speech: readonly Span[] | undefined): boolean {
  return (
    speech !== undefined &&
    !speech.some(
      (span) => span.start - SPEECH_MARGIN_SECONDS <= end && start <= span.end + SPEECH_MARGIN_SECONDS,
    )
  );
}
