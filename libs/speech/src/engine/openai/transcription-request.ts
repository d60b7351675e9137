import { FormData } from 'undici';

/** What a server is asked for, the most first. Not every server can tell the times of words, or any times. */
export const TIMESTAMP_GRANULARITIES = ['word', 'segment', 'text'] as const;
export type TimestampGranularity = (typeof TIMESTAMP_GRANULARITIES)[number];

export interface TranscriptionFormFields {
  model: string;
  /** A WAV file. */
  audio: Buffer;
  granularity: TimestampGranularity;
  /** What the server is to have in mind; empty for nothing. */
  prompt: string;
}

/** The form of `/audio/transcriptions`. */
export function buildTranscriptionForm({
  model,
  audio,
  granularity: detail,
  prompt,
}: TranscriptionFormFields): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(audio)], { type: 'audio/wav' }), 'chunk.wav');
  form.set('model', model);
  form.set('temperature', '0');
  form.set('response_format', detail === 'text' ? 'json' : 'verbose_json');
  if (detail === 'word') form.append('timestamp_granularities[]', 'word');
  if (detail !== 'text') form.append('timestamp_granularities[]', 'segment');
  if (prompt !== '') form.set('prompt', prompt);
  return form;
}

/** One odd chunk says nothing of the server. */
const REDUCTIONS_BEFORE_SWITCH = 3;
/** Servers are replaced; a question that is refused costs little. */
const CHUNKS_BETWEEN_PROBES = 50;

/** What a server is asked for first, by what it was seen to take. */
export class GranularityNegotiator {
  private finest: TimestampGranularity = TIMESTAMP_GRANULARITIES[0];
  private requestCount = 0;
  private consecutiveReductions = 0;

  /** @param onReduced told when the server is asked for less from now on */
  constructor(private readonly onReduced: (detail: TimestampGranularity) => void) {}

  /** What to ask for one chunk, the most first, until the server takes it. */
  granularitiesToTry(): readonly TimestampGranularity[] {
    this.requestCount += 1;
    return this.requestCount % CHUNKS_BETWEEN_PROBES === 0
      ? TIMESTAMP_GRANULARITIES
      : TIMESTAMP_GRANULARITIES.slice(rank(this.finest));
  }

  /** The server took this question, and refused those for more. */
  recordAccepted(detail: TimestampGranularity): void {
    if (rank(detail) <= rank(this.finest)) {
      this.finest = detail;
      this.consecutiveReductions = 0;
      return;
    }
    this.consecutiveReductions += 1;
    if (this.consecutiveReductions < REDUCTIONS_BEFORE_SWITCH) return;
    this.finest = detail;
    this.consecutiveReductions = 0;
    this.onReduced(detail);
  }
}

function rank(detail: TimestampGranularity): number {
  return TIMESTAMP_GRANULARITIES.indexOf(detail);
}

/** Whisper heeds the last 224 tokens of a prompt, and rare names take a token for every three bytes or so. */
const MAX_PROMPT_BYTES = 600;

export interface VocabularyPrompt {
  text: string;
  /** Terms that found no room, or in which nothing can be said. */
  unusedTerms: number;
}

/** The terms as a sentence that the recogniser takes for what was said before. */
export function buildVocabularyPrompt(terms: readonly string[]): VocabularyPrompt {
  const used: string[] = [];
  let bytes = 0;
  for (const term of terms) {
    const text = term.trim().replaceAll(/\s+/g, ' ');
    const size = Buffer.byteLength(text) + 2;
    if (!/[\p{L}\p{N}]/u.test(text) || bytes + size > MAX_PROMPT_BYTES) continue;
    used.push(text);
    bytes += size;
  }
  return { text: used.join(', '), unusedTerms: terms.length - used.length };
}
