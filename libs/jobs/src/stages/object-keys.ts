/** Where the stages of a job keep what they make. Keys carry the fence: a stale worker cannot overwrite a newer one's. */

/** Everything between upload and transcript; deleted with the audio. */
export function workPrefix(jobId: string): string {
  return `work/${jobId}/`;
}

/** Audio that was fetched from an address. */
export function fetchedAudioKey(jobId: string, fence: number): string {
  return `${workPrefix(jobId)}f${fence}/audio`;
}

export function chunkKey(jobId: string, fence: number, index: number): string {
  return `${workPrefix(jobId)}f${fence}/chunk-${String(index).padStart(5, '0')}.wav`;
}

export function transcriptPrefix(jobId: string): string {
  return `transcripts/${jobId}/`;
}

/** The transcript document, from which every format is made. */
export function documentKey(jobId: string, fence: number): string {
  return documentKeyBeside(renderingKey(jobId, fence, 'json'));
}

export function renderingKey(jobId: string, fence: number, extension: string): string {
  return `${transcriptPrefix(jobId)}f${fence}/transcript.${extension}`;
}

/** The document that a transcript in any format was made from; its own key for one that is the document. */
export function documentKeyBeside(resultKey: string): string {
  return `${resultKey.slice(0, resultKey.lastIndexOf('/'))}/document.json`;
}
