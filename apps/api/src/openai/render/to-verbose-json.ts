import { deflateSync } from 'node:zlib';
import type { TranscriptDocument, TranscriptSegment } from '@app/transcript';
import type { TranscriptionParams } from '../form/parse-transcription-params.js';
import { toLanguageName } from './to-language-name.js';
import { splitSpacedTexts } from './split-spaced-texts.js';
import { toUsage } from './to-usage.js';

/** A confidence of nothing at all, where its logarithm would be no number. */
const LEAST_CONFIDENCE = 1e-6;
const SEEKS_PER_SECOND = 100;

/** OpenAI's `verbose_json`, with the lists that were asked for. Times are seconds on the clock of the file. */
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
      segments: segments.map((segment, index) => verboseSegment(segment, spaced[index] ?? segment.text)),
    }),
    ...(granularities.includes('word') && { words: segments.flatMap(wordsOf) }),
    usage: toUsage(document),
  };
}

/** Every field that OpenAI has is there, as its clients count on; what the engine does not tell is 0 or empty. */
function verboseSegment({ id, start, end, confidence }: TranscriptSegment, text: string): object {
  return {
    id,
    seek: Math.floor(start * SEEKS_PER_SECOND),
    start,
    end,
    text,
    tokens: [],
    temperature: 0,
    avg_logprob: confidence === null ? 0 : roundTo4Digits(Math.log(Math.max(confidence, LEAST_CONFIDENCE))),
    compression_ratio: roundTo4Digits(compressionRatio(text)),
    no_speech_prob: 0,
  };
}

function wordsOf({ words }: TranscriptSegment): object[] {
  return (words ?? []).map(({ word, start, end }) => ({ word, start, end }));
}

/** Repetitions, which are what engines invent, compress well. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

function roundTo4Digits(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
