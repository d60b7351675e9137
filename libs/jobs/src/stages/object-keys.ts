import { validate as isUuid } from 'uuid';

// Keys carry the fence: a stale worker cannot overwrite what a newer one makes.

/** The job that a key of the service belongs to. @returns null for a key that is none of ours */
export function parseJobId(key: string): string | null {
  const jobId = key.split('/')[1] ?? '';
  return isUuid(jobId) ? jobId : null;
}

/** Everything between upload and transcript; deleted with the audio. */
export function buildWorkPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Audio that was fetched from an address. */
export function buildFetchedAudioKey(jobId: string, fence: number): string {
  return `${buildWorkPrefix(jobId)}f${fence}/audio`;
}

export function buildChunkKey(jobId: string, fence: number, index: number): string {
  return `${buildWorkPrefix(jobId)}f${fence}/chunk-${String(index).padStart(5, '0')}.wav`;
}

export function buildTranscriptPrefix(jobId: string): string {
  return `transcripts/${jobId}/`;
}

/** The transcript document, from which every format is made. */
export function buildDocumentKey(jobId: string, fence: number): string {
  return buildDocumentKeyBeside(buildRenderingKey(jobId, fence, 'json'));
}

export function buildRenderingKey(jobId: string, fence: number, extension: string): string {
  return `${buildTranscriptPrefix(jobId)}f${fence}/transcript.${extension}`;
}

/** The document that a transcript in any format was made from; its own key for one that is the document. */
export function buildDocumentKeyBeside(resultKey: string): string {
  return `${resultKey.slice(0, resultKey.lastIndexOf('/'))}/document.json`;
}

/**
 * Whether a key under `transcripts/` is of an attempt before the one whose transcript counts, which is then of no use.
 * One of a later attempt was made by somebody who knew more of the job than its row does.
 */
export function isFromEarlierAttempt(key: string, resultKey: string): boolean {
  const [attempt, counts] = [parseFence(key), parseFence(resultKey)];
  return attempt !== null && counts !== null && attempt < counts;
}

function parseFence(key: string): number | null {
  const [, digits] = /^transcripts\/[^/]+\/f(\d{1,9})\//.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}
