import type { TranscriptSegment } from '../document.js';
import { breaksAtMarks, breaksAtPauses, breaksByEar } from '../sentences/boundaries.js';
import { settleCase } from '../sentences/casing.js';
import { punctuate } from '../sentences/punctuate.js';
import { joinWords } from '../text/join.js';
import { meanConfidence, toMillis } from './numbers.js';
import type { FileWord } from './timeline.js';

/** A word on the file's clock with its numbered speaker. */
export interface VoicedWord extends FileWord {
  speaker: string | null;
}

/** How words become segments: as heard, as sentences that we mark, or as sentences the engine has marked. */
export type SentenceStyle = 'plain' | 'marked-here' | 'marked-by-engine';

/** The words cut where the voice or the language changes, then at pauses or sentence ends. Loses no word. */
export function cutSegments(words: readonly VoicedWord[], style: SentenceStyle): VoicedWord[][] {
  const segments = runsOfOneVoice(words).flatMap((run) => cutRun(run, style));
  if (style !== 'marked-here') return segments;
  const settle = settleCase(words.map((word) => word.text));
  return segments.map((segment) => punctuated(segment, settle));
}

function runsOfOneVoice(words: readonly VoicedWord[]): VoicedWord[][] {
  const runs: VoicedWord[][] = [];
  let language: string | null = null;
  for (const word of words) {
    const run = runs.at(-1);
    const sameVoice = run?.at(-1)?.speaker === word.speaker;
    // A word of unknown language belongs to the language around it.
    const sameLanguage = language === null || word.language === null || language === word.language;
    if (run && sameVoice && sameLanguage) {
      run.push(word);
      language ??= word.language;
    } else {
      runs.push([word]);
      language = word.language;
    }
  }
  return runs;
}

function cutRun(run: readonly VoicedWord[], style: SentenceStyle): VoicedWord[][] {
  const breaksOf = { plain: breaksAtPauses, 'marked-here': breaksByEar, 'marked-by-engine': breaksAtMarks };
  const breaks = breaksOf[style](run);
  return [...breaks, run.length].map((end, at) => run.slice(breaks[at - 1] ?? 0, end));
}

function punctuated(words: readonly VoicedWord[], settle: (word: string) => string): VoicedWord[] {
  const pauses = words.map((word, index) => word.start - (words[index - 1]?.end ?? word.start));
  const texts = punctuate({
    words: words.map((word) => settle(word.text)),
    pauses,
    language: languageOf(words),
  });
  return words.map((word, index) => ({ ...word, text: texts[index] ?? word.text }));
}

function languageOf(words: readonly VoicedWord[]): string | null {
  return words.find((word) => word.language !== null)?.language ?? null;
}

/** One segment of the document. `words` is never empty. */
export function toSegment(words: readonly VoicedWord[], id: number, withWords: boolean): TranscriptSegment {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) throw new RangeError('A segment has at least one word.');
  return {
    id,
    start: toMillis(first.start),
    end: toMillis(last.end),
    text: joinWords(words.map((word) => word.text)),
    language: languageOf(words),
    speaker: first.speaker,
    confidence: meanConfidence(words),
    words: withWords ? words.map(toWord) : null,
  };
}

function toWord({ text, start, end, confidence, speaker }: VoicedWord) {
  return {
    word: text,
    start: toMillis(start),
    end: toMillis(end),
    confidence: confidence === null ? null : toMillis(confidence),
    speaker,
  };
}
