import type { ObjectStore } from './object-store.js';
import type { TranscriptUrlSigner } from './transcript-url-signer.js';

export interface CompletedTranscript {
  jobId: string;
  resultKey: string;
  /** Of the stored file, without its dot. */
  extension: string;
  /** The stored file lacks the names, which the route of transcripts writes. */
  hasNamedSpeakers: boolean;
}

/** @param expiresIn seconds @returns a new URL of the stored file, or of the route that writes the names of the speakers */
export async function signCompletedTranscriptUrl(
  store: Pick<ObjectStore, 'presignGet'>,
  urlSigner: TranscriptUrlSigner,
  { jobId, resultKey, extension, hasNamedSpeakers }: CompletedTranscript,
  expiresIn: number,
): Promise<string> {
  if (hasNamedSpeakers) return urlSigner.sign(jobId, expiresIn);
  const filename = buildTranscriptFilename(jobId, extension);
  return store.presignGet({ key: resultKey, expiresIn, filename });
}

export function buildTranscriptFilename(jobId: string, extension: string): string {
  return `transcript-${jobId}.${extension}`;
}
