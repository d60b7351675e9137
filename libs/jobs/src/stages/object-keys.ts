import { validate as isUuid } from 'uuid';

// Keys contain the fence, so a worker without a lease cannot overwrite objects of the current holder.

/** @returns null for a key that does not belong to the service */
export function parseJobIdFromKey(key: string): string | null {
  const jobId = key.split('/')[1] ?? '';
  return isUuid(jobId) ? jobId : null;
}

export function buildUploadedAudioKey(jobId: string): string {
  return `audio/${jobId}`;
}

/** Intermediate objects are deleted with the audio. */
export function buildWorkPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

export function buildFetchedAudioKey(jobId: string, fence: number): string {
  return `${buildWorkPrefix(jobId)}f${fence}/audio`;
}

export interface ChunkingRunAndIndex {
  /** Counts from 1 within an attempt: a file is chunked again when the voice activity model fails. */
  chunking: number;
  index: number;
}

/** Chunks of an earlier chunking may be being transcribed, so they are not overwritten. */
export function buildChunkKey(
  jobId: string,
  fence: number,
  { chunking, index }: ChunkingRunAndIndex,
): string {
  return `${buildWorkPrefix(jobId)}f${fence}/chunk-${chunking}-${String(index).padStart(5, '0')}.wav`;
}

export function buildTranscriptPrefix(jobId: string): string {
  return `transcripts/${jobId}/`;
}

/** Every format is rendered from this document. */
export function buildTranscriptDocumentKey(jobId: string, fence: number): string {
  return buildDocumentKeyFromResultKey(buildRenderedTranscriptKey(jobId, fence, 'json'));
}

export function buildRenderedTranscriptKey(jobId: string, fence: number, extension: string): string {
  return `${buildTranscriptPrefix(jobId)}f${fence}/transcript.${extension}`;
}

/** @param resultKey of a transcript in any format */
export function buildDocumentKeyFromResultKey(resultKey: string): string {
  return `${resultKey.slice(0, resultKey.lastIndexOf('/'))}/document.json`;
}

/** Such a transcript is unneeded. One with a higher fence is needed, because the row is older. */
export function isTranscriptWithLowerFence(key: string, resultKey: string): boolean {
  const [fence, published] = [parseFence(key), parseFence(resultKey)];
  return fence !== null && published !== null && fence < published;
}

function parseFence(key: string): number | null {
  const [, digits] = /^transcripts\/[^/]+\/f(\d{1,9})\//.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}
