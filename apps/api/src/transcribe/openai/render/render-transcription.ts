import { deflateSync } from 'node:zlib';
import { getExporter, type TranscriptDocument, type TranscriptSegment } from '@app/transcript';
import type { TranscriptionParams } from '../form/parse-transcription-params.js';

/** Keeps the logarithm of the confidence finite. */
const MIN_CONFIDENCE = 1e-6;
const SEEKS_PER_SECOND = 100;
const UNKNOWN_SPEAKER = 'unknown';
const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });

export interface RenderedTranscription {
  contentType: string;
  body: string;
}

export async function renderTranscription(
  document: TranscriptDocument,
  params: Pick<TranscriptionParams, 'format' | 'granularities'>,
): Promise<RenderedTranscription> {
  switch (params.format) {
    case 'json':
      return toJsonBody({ text: document.text, usage: toOpenAiUsage(document) });
    case 'verbose_json':
      return toJsonBody(toVerboseJson(document, params));
    case 'diarized_json':
      return toJsonBody(toDiarizedJson(document));
    case 'text':
      return { contentType: 'text/plain; charset=utf-8', body: `${document.text}\n` };
    case 'srt':
    case 'vtt': {
      const exporter = getExporter(params.format);
      return { contentType: exporter.contentType, body: (await exporter.render(document)).toString('utf8') };
    }
  }
}

function toJsonBody(value: object): RenderedTranscription {
  return { contentType: 'application/json; charset=utf-8', body: JSON.stringify(value) };
}

/** OpenAI's `verbose_json`, with the requested lists. Times are seconds from the start of the file. */
export function toVerboseJson(
  document: TranscriptDocument,
  { granularities }: Pick<TranscriptionParams, 'granularities'>,
): object {
  const { duration, text, segments } = document;
  const texts = splitTextBySegment(document);
  return {
    task: 'transcribe',
    language: toLanguageName(document.language),
    duration,
    text,
    ...(granularities.includes('segment') && {
      segments: segments.map((segment, index) => toVerboseSegment(segment, texts[index] ?? segment.text)),
    }),
    ...(granularities.includes('word') && { words: segments.flatMap(toWords) }),
    usage: toOpenAiUsage(document),
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

/** OpenAI's `diarized_json`, with the speaker labels of this service. */
export function toDiarizedJson(document: TranscriptDocument): object {
  const { duration, text, segments } = document;
  return {
    task: 'transcribe',
    duration,
    text,
    segments: segments.map(({ id, start, end, text: segmentText, speaker }) => ({
      type: 'transcript.text.segment',
      id: `seg_${id}`,
      start,
      end,
      text: segmentText,
      speaker: speaker ?? UNKNOWN_SPEAKER,
    })),
    usage: toOpenAiUsage(document),
  };
}

/** The charged duration: every started second. */
export function toOpenAiUsage({ usage }: Pick<TranscriptDocument, 'usage'>): object {
  return { type: 'duration', seconds: Math.ceil(usage.seconds) };
}

/** `english` for `en`, as OpenAI names languages; `unknown` if none was detected, because clients expect a string. */
function toLanguageName(code: string | null): string {
  if (code === null) return 'unknown';
  try {
    return LANGUAGE_NAMES.of(code)?.toLowerCase() ?? 'unknown';
  } catch {
    return code.toLowerCase();
  }
}

/**
 * Splits the text so that each segment includes the characters between it and the previous one: some scripts separate
 * sentences without blanks.
 */
export function splitTextBySegment({
  text,
  segments,
}: Pick<TranscriptDocument, 'text' | 'segments'>): string[] {
  let end = 0;
  return segments.map((segment) => {
    const index = text.indexOf(segment.text, end);
    if (index < 0) return segment.text;
    const start = end;
    end = index + segment.text.length;
    return text.slice(start, end);
  });
}
