import type { RecognizedWord, RecognizedWordWithoutLanguage, TimeSpan } from '../engine.js';
import { estimateWordTimesByLength, splitTimedWord } from '../estimate-word-times.js';
import { joinPartsOfUnspacedWords } from '../join-parts-of-unspaced-words.js';
import { markPhraseSpaces } from '../phrase-spaces.js';
import { splitIntoWords } from '../split-into-words.js';
import {
  isLikelyHallucination,
  type ResponseSegment,
  type ResponseWord,
  computeSegmentConfidence,
  type TranscriptionResponse,
} from './transcription-response.js';
import { beginsWithinChunk } from './drop-outlying-times.js';
import { collectSegmentWords } from './collect-segment-words.js';
import { normalizeResponseTimes } from './normalize-response-times.js';
import { placeListedWords } from './place-listed-words.js';
import { doSegmentsLocateWords } from './do-segments-locate-words.js';
import { assertTextFitsDuration, dropExcessiveLists } from './limit-response-to-duration.js';
import { SegmentFinder } from './segment-finder.js';
import { restorePunctuation } from './restore-punctuation.js';
import { dropSoundAnnotations } from './sound-annotations.js';

export interface ConvertedTranscription {
  words: RecognizedWord[];
  /** True when word times are interpolated within longer segments. */
  timesEstimated: boolean;
  /** Words dropped as likely hallucinations, or because they start after the end of the chunk. */
  doubtedWords: number;
  /**
   * False when the response has no usable times: each of the words may be anywhere in the chunk. Undefined without words, and if one
   * cannot tell.
   */
  hasTimes: boolean | undefined;
}

/** Minimum share of the text's letters that a word list must cover, if its spelling differs. */
const MIN_LETTER_SHARE = 0.8;

/**
 * @param duration of the chunk, seconds @param speech detected in the chunk; may be empty
 * @throws OpenAiRequestError for a text that nobody can have spoken
 */
export function convertTranscriptionDroppingHallucinations(
  parsed: TranscriptionResponse,
  duration: number,
  speech: readonly TimeSpan[] = [],
): ConvertedTranscription {
  assertTextFitsDuration(parsed, duration);
  const response = normalizeResponseTimes(dropExcessiveLists(parsed, duration), duration);
  const segments = response.segments ?? [];
  const finder = new SegmentFinder(segments);
  const beside = (response.words ?? []).filter(({ word }) => word.trim() !== '');
  const listed = beside.length > 0 ? beside : collectSegmentWords(segments);
  const text = response.text.trim() === '' ? joinWords(listed) : response.text;
  const timed =
    listed.some(isTimed) &&
    !isIncomplete(
      listed.map(({ word }) => word),
      text,
    );
  const complete = timed ? [] : dropIncompleteSegments(segments, text);
  const all = dropSoundAnnotations(
    timed
      ? buildTimedWords(placeListedWords(listed, duration, speech), response.text, finder)
      : markPhraseSpaces(estimateFromSegments(complete, text, duration, speech), text),
  );
  const accepted = all.filter(
    (word) => beginsWithinChunk(word.start, duration) && !isHallucinated(word, finder),
  );
  return {
    words: clampToChunk(accepted, duration),
    timesEstimated: accepted.some(({ estimatedWithin }) => estimatedWithin !== undefined),
    doubtedWords: all.length - accepted.length,
    hasTimes: all.length > 0 ? timed || hasSegmentTimes(complete, parsed, duration, speech) : undefined,
  };
}

function buildTimedWords(
  timed: readonly RecognizedWordWithoutLanguage[],
  text: string,
  segments: SegmentFinder,
): RecognizedWordWithoutLanguage[] {
  const marked = restorePunctuation(
    timed.map((word) => addConfidence(word, segments)),
    text,
  );
  return joinPartsOfUnspacedWords(
    markPhraseSpaces(
      marked.flatMap((word) => splitTimedWord(word)),
      text,
    ),
  );
}

function addConfidence(
  word: RecognizedWordWithoutLanguage,
  segments: SegmentFinder,
): RecognizedWordWithoutLanguage {
  if (word.confidence !== null) return word;
  return { ...word, ...describeSegmentConfidence(segments.findAt(word.start)[0]) };
}

type SharedConfidence = Pick<RecognizedWordWithoutLanguage, 'confidence' | 'confidenceOf'>;

function describeSegmentConfidence(segment: ResponseSegment | undefined): SharedConfidence {
  const confidence = segment ? computeSegmentConfidence(segment) : null;
  return confidence === null ? { confidence } : { confidence, confidenceOf: 'segment' };
}

/** @returns all or none of the segments */
function dropIncompleteSegments(segments: readonly ResponseSegment[], text: string) {
  const texts = segments.map((segment) => segment.text);
  return isIncomplete(texts, text) ? [] : segments;
}

function estimateFromSegments(
  segments: readonly ResponseSegment[],
  text: string,
  duration: number,
  speech: readonly TimeSpan[],
): RecognizedWordWithoutLanguage[] {
  if (segments.length === 0)
    return estimateWordTimesByLength(
      splitIntoWords(text).map((word) => ({ text: word, confidence: null })),
      { start: 0, end: duration },
      speech,
    );
  return groupBySpan(segments, duration).flatMap(({ words, ...within }) =>
    estimateWordTimesByLength(words, within, speech),
  );
}

interface UntimedWords extends TimeSpan {
  words: Pick<RecognizedWordWithoutLanguage, 'text' | 'confidence' | 'confidenceOf'>[];
}

/**
 * Segments without times share the span between their neighbours. A segment ends where one after it begins: else the words of that one
 * would all begin at the last word before. Whisper's last segment may end after the audio.
 */
function groupBySpan(segments: readonly ResponseSegment[], duration: number): UntimedWords[] {
  const groups: UntimedWords[] = [];
  let open: UntimedWords = { start: 0, end: 0, words: [] };
  const closeAt = (moment: number): void => {
    const end = open.start < duration ? Math.min(moment, duration) : moment;
    groups.push({ ...open, end: Math.max(end, open.start) });
    open = { start: Math.max(end, open.start), end: 0, words: [] };
  };
  const nextStarts = findNextStarts(segments);
  for (const [index, segment] of segments.entries()) {
    if (typeof segment.start === 'number') {
      if (open.words.length > 0) closeAt(segment.start);
      open.start = segment.start;
    }
    const confidence = describeSegmentConfidence(segment);
    open.words.push(...splitIntoWords(segment.text).map((text) => ({ text, ...confidence })));
    const next = nextStarts[index] ?? Infinity;
    if (typeof segment.end === 'number')
      closeAt(next > open.start ? Math.min(segment.end, next) : segment.end);
  }
  if (open.words.length > 0) closeAt(duration);
  return groups;
}

/** For each segment the start of the first one after it that has one. */
function findNextStarts(segments: readonly ResponseSegment[]): number[] {
  const starts: number[] = [];
  let next = Infinity;
  for (let index = segments.length - 1; index >= 0; index -= 1) {
    starts[index] = next;
    next = segments[index]?.start ?? next;
  }
  return starts;
}

/**
 * Whether words or segments lack a part of the text: all of them occur in it with letters left over, or far too few
 * letters are listed. Different spelling (“20” for “twenty”) is not a gap.
 */
function isIncomplete(parts: readonly string[], text: string): boolean {
  const [listed, all] = [normalizeLetters(parts.join('')), normalizeLetters(text)];
  if (listed.length >= all.length) return false;
  if (listed.length < MIN_LETTER_SHARE * all.length) return true;
  return parts.every((part) => all.includes(normalizeLetters(part)));
}

function normalizeLetters(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function joinWords(listed: readonly ResponseWord[]): string {
  return listed.map(({ word }) => word.trim()).join(' ');
}

function isTimed({ start }: ResponseWord): boolean {
  return typeof start === 'number';
}

/** @param segments with the times that are usable; a single one without any has those of the chunk */
function hasSegmentTimes(
  segments: readonly ResponseSegment[],
  { segments: listed }: TranscriptionResponse,
  duration: number,
  speech: readonly TimeSpan[],
): boolean | undefined {
  const [first] = segments;
  const isFilledIn = first?.start !== listed?.[0]?.start || first?.end !== listed?.[0]?.end;
  return isFilledIn ? false : doSegmentsLocateWords(segments, duration, speech);
}

/**
 * Segments may overlap: a word that may be of another one is kept. An estimated word is in a segment only if all of its span is:
 * it may be anywhere in that.
 */
function isHallucinated(
  { start, estimatedWithin }: RecognizedWordWithoutLanguage,
  segments: SegmentFinder,
): boolean {
  const around = estimatedWithin ? segments.findAround(estimatedWithin) : segments.findAt(start);
  return around.length > 0 && around.every(isLikelyHallucination);
}

/** Clamps times to the chunk, and start times to ascending order. */
function clampToChunk(words: readonly RecognizedWordWithoutLanguage[], duration: number): RecognizedWord[] {
  let last = 0;
  return words.map(({ start, end, confidence, ...word }) => {
    last = Math.min(Math.max(start, last), duration);
    return {
      ...word,
      start: last,
      end: Math.min(Math.max(end, last), duration),
      confidence: confidence === null ? null : Math.min(Math.max(confidence, 0), 1),
      language: null,
    };
  });
}
