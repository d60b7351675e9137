import { validate as isUuid } from 'uuid';

// Keys contain the fence, so a worker without a lease cannot overwrite objects of the current holder.

/**
 * Extracts the job id of an object key.
 * @returns null for a key that does not belong to the service
 */
export function parseJobId(key: string): string | null {
  const jobId = key.split('/')[1] ?? '';
  return isUuid(jobId) ? jobId : null;
}

/** Prefix of intermediate objects, which are deleted with the audio. */
export function buildWorkPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Key of audio that was fetched from a URL. */
export function buildFetchedAudioKey(jobId: string, fence: number): string {
  return `${buildWorkPrefix(jobId)}f${fence}/audio`;
}

export function buildChunkKey(jobId: string, fence: number, index: number): string {
  return `${buildWorkPrefix(jobId)}f${fence}/chunk-${String(index).padStart(5, '0')}.wav`;
}

export function buildTranscriptPrefix(jobId: string): string {
  return `transcripts/${jobId}/`;
}

/** Key of the transcript document, from which every format is rendered. */
export function buildDocumentKey(jobId: string, fence: number): string {
  return buildDocumentKeyBeside(buildRenderingKey(jobId, fence, 'json'));
}

export function buildRenderingKey(jobId: string, fence: number, extension: string): string {
  return `${buildTranscriptPrefix(jobId)}f${fence}/transcript.${extension}`;
}

/** Key of the document of a transcript in any format. */
export function buildDocumentKeyBeside(resultKey: string): string {
  return `${resultKey.slice(0, resultKey.lastIndexOf('/'))}/document.json`;
}

/**
 * Whether a key under `transcripts/` belongs to an attempt before the published one, and is therefore unneeded. A
 * later attempt knew more about the job than the row, so its transcript is not.
 */
export function isFromEarlierAttempt(key: string, resultKey: string): boolean {
  const [attempt, counts] = [parseFence(key), parseFence(resultKey)];
  return attempt !== null && counts !== null && attempt < counts;
}

function parseFence(key: string): number | null {
  const [, digits] = /^transcripts\/[^/]+\/f(\d{1,9})\//.exec(key) ?? [];
  return digits === undefined ? null : Number(digits);
}
