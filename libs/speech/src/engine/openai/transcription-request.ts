import { FormData } from 'undici';

/** Finest first. Some servers support only coarser ones, or no timestamps. */
export const TIMESTAMP_GRANULARITIES = ['word', 'segment', 'text'] as const;
export type TimestampGranularity = (typeof TIMESTAMP_GRANULARITIES)[number];

export interface TranscriptionFormFields {
  model: string;
  audio: Buffer;
  granularity: TimestampGranularity;
  /** May be empty. */
  prompt: string;
}

export function buildTranscriptionForm(fields: TranscriptionFormFields): FormData {
  const { model, audio, granularity, prompt } = fields;
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(audio)], { type: 'audio/wav' }), 'chunk.wav');
  form.set('model', model);
  form.set('temperature', '0');
  form.set('response_format', granularity === 'text' ? 'json' : 'verbose_json');
  if (granularity === 'word') form.append('timestamp_granularities[]', 'word');
  if (granularity !== 'text') form.append('timestamp_granularities[]', 'segment');
  if (prompt !== '') form.set('prompt', prompt);
  return form;
}

/** Reductions for single chunks may be accidental. */
const REDUCTIONS_BEFORE_SWITCH = 3;
/** How often a finer granularity is tried again, because servers get replaced. */
const CHUNKS_BETWEEN_PROBES = 50;

export class GranularityNegotiator {
  private finest: TimestampGranularity = TIMESTAMP_GRANULARITIES[0];
  private requestCount = 0;
  private consecutiveReductions = 0;

  /** @param onReduced called when later requests start with a coarser granularity */
  constructor(private readonly onReduced: (granularity: TimestampGranularity) => void) {}

  granularitiesToTry(): readonly TimestampGranularity[] {
    this.requestCount += 1;
    return this.requestCount % CHUNKS_BETWEEN_PROBES === 0
      ? TIMESTAMP_GRANULARITIES
      : TIMESTAMP_GRANULARITIES.slice(rank(this.finest));
  }

  recordAccepted(granularity: TimestampGranularity): void {
    if (rank(granularity) <= rank(this.finest)) {
      this.finest = granularity;
      this.consecutiveReductions = 0;
      return;
    }
    this.consecutiveReductions += 1;
    if (this.consecutiveReductions < REDUCTIONS_BEFORE_SWITCH) return;
    this.finest = granularity;
    this.consecutiveReductions = 0;
    this.onReduced(granularity);
  }
}

function rank(granularity: TimestampGranularity): number {
  return TIMESTAMP_GRANULARITIES.indexOf(granularity);
}

/** Whisper reads the last 224 tokens of a prompt; rare names take a token per three bytes or so. */
const MAX_PROMPT_BYTES = 600;

export interface VocabularyPrompt {
  text: string;
  /** Terms that did not fit, or without letters and digits. */
  unusedTerms: number;
}

/** The model treats the prompt as preceding text. */
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
