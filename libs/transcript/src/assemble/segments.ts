import type { TranscriptSegment } from '../transcript-document.js';
import {
  findModelMarkBreaks,
  findEngineMarkBreaks,
  findPauseBreaks,
  findSentenceBreaks,
} from '../sentences/sentence-boundaries.js';
import { createCaseNormalizer } from '../sentences/casing.js';
import { estimateSentencePause } from '../sentences/sentence-pause.js';
import { punctuate } from '../sentences/punctuate.js';
import { joinWords } from '../text/join-words.js';
import { meanConfidence, roundToMillis } from './numbers.js';
import type { TimelineWord } from './timeline.js';

/**
 * How words become segments: as heard, as sentences that we mark (where a punctuation model told the marks, with those),
 * or as sentences the engine has marked.
 */
export type SentenceStyle = 'plain' | 'marked-here' | 'marked-by-engine';

/**
 * The words cut where the voice or the language changes, then at pauses or sentence ends. Loses no word; their texts get
 * the case and the marks of the sentences in place.
 */
export function splitIntoSegments(words: readonly TimelineWord[], style: SentenceStyle): TimelineWord[][] {
  const runs = groupBySpeakerAndLanguage(words);
  if (style === 'plain') return runs.flatMap((run) => splitAt(run, findPauseBreaks(run)));
  if (style === 'marked-by-engine') return runs.flatMap((run) => splitAt(run, findEngineMarkBreaks(run)));
  const settle = createCaseNormalizer(words.map((word) => word.text));
  const pauses = sentencePauseBySpeaker(runs);
  return runs.flatMap((run) => punctuatedSentences(run, settle, pauses.get(speakerOf(run))));
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

/** By the marks of a punctuation model where it has looked at every word of the run, else by our own rules. */
function punctuatedSentences(
  run: readonly TimelineWord[],
  settle: (word: string) => string,
  pause: number | undefined,
): TimelineWord[][] {
  const given = run.every(({ mark }) => mark !== undefined);
  const breaks = given ? findModelMarkBreaks(run) : findSentenceBreaks(run, pause);
  return splitAt(run, breaks).map((words) => {
    const texts = punctuate({
      words: words.map((word) => settle(word.text)),
      pauses: pausesBefore(words),
      marks: given ? words.map(({ mark }) => mark ?? null) : undefined,
      language: languageOf(words),
    });
    for (const [index, word] of words.entries()) word.text = texts[index] ?? word.text;
    return words;
  });
}

/** Seconds of silence before each word, of the first none. */
function pausesBefore(words: readonly TimelineWord[]): number[] {
  return words.map((word, index) => word.start - (words[index - 1]?.end ?? word.start));
}

/** Of each speaker the seconds of silence that end a sentence. */
function sentencePauseBySpeaker(runs: readonly TimelineWord[][]): Map<string | null, number> {
  const pauses = new Map<string | null, number[]>();
  for (const run of runs) {
    const own = pauses.get(speakerOf(run)) ?? [];
    for (const pause of pausesBefore(run)) own.push(pause);
    pauses.set(speakerOf(run), own);
  }
  return new Map([...pauses].map(([speaker, own]) => [speaker, estimateSentencePause(own)]));
}

function speakerOf(run: readonly TimelineWord[]): string | null {
  return run[0]?.speaker ?? null;
}

function languageOf(words: readonly TimelineWord[]): string | null {
  return words.find((word) => word.language !== null)?.language ?? null;
}

/**
 * One segment of the document. `words` is never empty. Its own words are made when they are asked for: of ten hours they
 * would take as much room as the words that they are made of.
 */
export function toSegment(words: readonly TimelineWord[], id: number, withWords: boolean): TranscriptSegment {
  const [first, last] = [words[0], words.at(-1)];
  if (!first || !last) throw new RangeError('A segment has at least one word.');
  return {
    id,
    start: roundToMillis(first.start),
    end: roundToMillis(last.end),
    text: joinWords(words.map((word) => word.text)),
    language: languageOf(words),
    speaker: first.speaker,
    confidence: meanConfidence(words),
    get words() {
      return withWords ? words.map(toWord) : null;
    },
  };
}

function toWord({ text, start, end, confidence, speaker }: TimelineWord) {
  return {
    word: text,
    start: roundToMillis(start),
    end: roundToMillis(end),
    confidence: confidence === null ? null : roundToMillis(confidence),
    speaker,
  };
}
