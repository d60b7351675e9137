import { deflateSync } from 'node:zlib';
import type { TranscriptDocument, TranscriptSegment } from '@app/transcript';
import type { TranscriptionParams } from '../form/parse-transcription-params.js';
import { toLanguageName } from './to-language-name.js';
import { splitSpacedTexts } from './split-spaced-texts.js';
import { toUsage } from './to-usage.js';

/** Keeps the logarithm of the confidence finite. */
const MIN_CONFIDENCE = 1e-6;
const SEEKS_PER_SECOND = 100;

/** OpenAI's `verbose_json`, with the requested lists. Times are seconds from the start of the file. */
export function toVerboseJson(
  document: TranscriptDocument,
  { granularities }: Pick<TranscriptionParams, 'granularities'>,
): object {
  const { duration, text, segments } = document;
  const spaced = splitSpacedTexts(document);
  return {
    task: 'transcribe',
    language: toLanguageName(document.language),
    duration,
    text,
    ...(granularities.includes('segment') && {
      segments: segments.map((segment, index) => toVerboseSegment(segment, spaced[index] ?? segment.text)),
    }),
    ...(granularities.includes('word') && { words: segments.flatMap(toWords) }),
    usage: toUsage(document),
  };
}

/** Has every field of OpenAI's schema; values that the engine does not provide are 0 or empty. */
function toVerboseSegment({ id, start, end, confidence }: TranscriptSegment, text: string): object {
  return {
    id,
    seek: Math.floor(start * SEEKS_PER_SECOND),
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: confidence === null ? 0 : roundTo4Digits(Math.log(Math.max(confidence, MIN_CONFIDENCE))),
    compression_ratio: roundTo4Digits(compressionRatio(text)),
    no_speech_prob: 0,
  };
}

function toWords({ words }: TranscriptSegment): object[] {
  return (words ?? []).map(({ word, start, end }) => ({ word, start, end }));
}

/** A high ratio indicates hallucinated repetitions. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

function roundTo4Digits(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
