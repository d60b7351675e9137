import type { TranscriptSegment, TranscriptWord } from '../transcript-document.js';
import {
  findModelMarkBreaks,
  findEngineMarkBreaks,
  findPauseBreaks,
  findPauseBreaksWeighedByWords,
} from '../sentences/sentence-boundaries.js';
import { createAllCapsTextLowercaser, type WordLowercaser } from '../sentences/casing.js';
import { estimateSentencePauseSeconds } from '../sentences/sentence-pause.js';
import { punctuateSentence } from '../sentences/punctuate-sentence.js';
import { joinWords } from '../text/join-words.js';
import { computeDurationWeightedConfidence, roundToThreeDecimals } from './numbers.js';
import type { TimelineWord } from './timeline.js';

/**
 * Segments end at pauses without punctuation (`none`), at the engine's own punctuation (`engine`), or at sentences that a
 * punctuation model or rules find (`added`).
 */
export type PunctuationSource = 'none' | 'engine' | 'added';

/** Splits where speaker or language changes, then at pauses or sentence ends. Punctuates the texts in place. */
export function punctuateInPlaceAndSplitIntoSegments(
  words: readonly TimelineWord[],
  punctuation: PunctuationSource,
): TimelineWord[][] {
  const runs = groupBySpeakerAndLanguage(words);
  if (punctuation === 'none') return runs.flatMap((run) => splitAt(run, findPauseBreaks(run)));
  if (punctuation === 'engine') return runs.flatMap((run) => splitAt(run, findEngineMarkBreaks(run)));
  const normalizeCase = createAllCapsTextLowercaser(words.map((word) => word.text));
  const pauses = sentencePauseBySpeaker(runs);
  return runs.flatMap((run) => punctuatedSentences(run, normalizeCase, pauses.get(speakerOf(run))));
}

function groupBySpeakerAndLanguage(words: readonly TimelineWord[]): TimelineWord[][] {
  const runs: TimelineWord[][] = [];
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

function splitAt(run: readonly TimelineWord[], breaks: readonly number[]): TimelineWord[][] {
  return [...breaks, run.length].map((end, at) => run.slice(breaks[at - 1] ?? 0, end));
}

/** Uses a punctuation model's marks if every word has a prediction, else rules. */
function punctuatedSentences(
  run: readonly TimelineWord[],
  normalizeCase: WordLowercaser,
  pause: number | undefined,
): TimelineWord[][] {
  const isPredicted = run.every(({ mark }) => mark !== undefined);
  const breaks = isPredicted ? findModelMarkBreaks(run) : findPauseBreaksWeighedByWords(run, pause);
  return splitAt(run, breaks).map((words) => {
    const texts = punctuateSentence({
      words: words.map((word) => normalizeCase(word.text, word.language)),
      pauses: pausesBefore(words),
      marks: isPredicted ? words.map(({ mark }) => mark ?? null) : undefined,
      redacted: words.map(({ redacted }) => redacted !== null),
      language: languageOf(words),
    });
    for (const [index, word] of words.entries()) word.text = texts[index] ?? word.text;
    return words;
  });
}

/** Seconds; 0 for the first word. */
function pausesBefore(words: readonly TimelineWord[]): number[] {
  return words.map((word, index) => word.start - (words[index - 1]?.end ?? word.start));
}

/** Seconds. */
function sentencePauseBySpeaker(runs: readonly TimelineWord[][]): Map<string | null, number> {
  const pauses = new Map<string | null, number[]>();
  for (const run of runs) {
    const speakerPauses = pauses.get(speakerOf(run)) ?? [];
    for (const pause of pausesBefore(run)) speakerPauses.push(pause);
    pauses.set(speakerOf(run), speakerPauses);
  }
  return new Map(
    [...pauses].map(([speaker, speakerPauses]) => [speaker, estimateSentencePauseSeconds(speakerPauses)]),
  );
}

function speakerOf(run: readonly TimelineWord[]): string | null {
  return run[0]?.speaker ?? null;
}

function languageOf(words: readonly TimelineWord[]): string | null {
  return words.find((word) => word.language !== null)?.language ?? null;
}

/** @param words not empty; the segment builds its words on access, because for ten hours they would double the memory */
export function toSegment(words: readonly TimelineWord[], id: number, withWords: boolean): TranscriptSegment {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) throw new RangeError('A segment has at least one word.');
  return {
    id,
    start: roundToThreeDecimals(first.start),
    end: roundToThreeDecimals(last.end),
    text: joinWords(words),
    language: languageOf(words),
    speaker: first.speaker,
    channel: first.channel,
    confidence: computeDurationWeightedConfidence(words),
    get words() {
      return withWords ? words.map(toWord) : null;
    },
  };
}

function toWord(word: TimelineWord): TranscriptWord {
  const { confidence, speaker, channel, language, estimated, redacted } = word;
  return {
    word: word.text,
    start: roundToThreeDecimals(word.start),
    end: roundToThreeDecimals(word.end),
    confidence: confidence === null ? null : roundToThreeDecimals(confidence),
    speaker,
    channel,
    language,
    estimated,
    redacted,
  };
}
