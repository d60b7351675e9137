import { JOB_MODELS } from '@app/jobs';

/** Model names that OpenAI tools request. */
export const RETRIEVABLE_MODEL_NAMES: readonly string[] = [
  ...JOB_MODELS,
  'whisper-1',
  'whisper-large-v3',
  'whisper-large-v3-turbo',
  'gpt-4o-transcribe',
  'gpt-4o-mini-transcribe',
  'gpt-4o-transcribe-diarize',
];

const MODEL_CREATED_AT_SECONDS = 1_763_596_800;

export interface ModelResponse {
  id: string;
  object: 'model';
  /** Seconds since 1970. */
  created: number;
  owned_by: string;
}

export interface ModelListResponse {
  object: 'list';
  data: ModelResponse[];
}

export function toModelResponse(id: string): ModelResponse {
  return { id, object: 'model', created: MODEL_CREATED_AT_SECONDS, owned_by: 'zephyr' };
}

export function toModelListResponse(names: readonly string[]): ModelListResponse {
  return { object: 'list', data: names.map(toModelResponse) };
}
