import { FormData } from 'undici';
import type { UploadFormat } from './upload-format.js';

export const TRANSCRIPTION_PATH = '/audio/transcriptions';

/** Finest first. Some servers support only coarser ones, or no timestamps. */
export const RESPONSE_GRANULARITIES = ['word', 'segment', 'text'] as const;
export type ResponseGranularity = (typeof RESPONSE_GRANULARITIES)[number];

export const VOCABULARY_FORM_FIELD_NAMES = ['prompt', 'hotwords'] as const;
export type VocabularyFormFieldName = (typeof VOCABULARY_FORM_FIELD_NAMES)[number];

export interface TranscriptionFormInput {
  model: string;
  audio: { bytes: Buffer; format: UploadFormat };
  granularity: ResponseGranularity;
  vocabulary: {
    /** May be empty. */
    text: string;
    /** Fields that carry it. */
    fields: readonly VocabularyFormFieldName[];
  };
  /** Further fields; they replace fields of the same name. */
  formFields: readonly FormField[];
}

export type FormField = readonly [name: string, value: string];

export function buildTranscriptionForm(fields: TranscriptionFormInput): FormData {
  const { model, audio, granularity, vocabulary, formFields } = fields;
  const form = new FormData();
  const file = new Blob([new Uint8Array(audio.bytes)], { type: `audio/${audio.format}` });
  form.set('file', file, `chunk.${audio.format}`);
  form.set('model', model);
  form.set('temperature', '0');
  form.set('response_format', granularity === 'text' ? 'json' : 'verbose_json');
  // Segments are the default: some servers take `verbose_json`, but not the field that asks for more.
  if (granularity === 'word')
    for (const each of ['word', 'segment']) form.append('timestamp_granularities[]', each);
  if (vocabulary.text !== '') for (const name of vocabulary.fields) form.set(name, vocabulary.text);
  for (const [name] of formFields) form.delete(name);
  for (const [name, value] of formFields) form.append(name, value);
  return form;
}

/** Reductions for single chunks may be accidental. */
const REDUCTIONS_BEFORE_SWITCH = 3;
/** How often a finer granularity is tried again, because servers get replaced. */
const CHUNKS_BETWEEN_PROBES = 50;

export class GranularityNegotiator {
  private finest: ResponseGranularity = RESPONSE_GRANULARITIES[0];
  private requestCount = 0;
  private consecutiveReductions = 0;

  /** @param onReduced called when later requests start with a coarser granularity */
  constructor(private readonly onReduced: (granularity: ResponseGranularity) => void) {}

  granularitiesToTry(): readonly ResponseGranularity[] {
    this.requestCount += 1;
    return this.requestCount % CHUNKS_BETWEEN_PROBES === 0
      ? RESPONSE_GRANULARITIES
      : RESPONSE_GRANULARITIES.slice(rank(this.finest));
  }

  recordAccepted(granularity: ResponseGranularity): void {
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

function rank(granularity: ResponseGranularity): number {
  return RESPONSE_GRANULARITIES.indexOf(granularity);
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
