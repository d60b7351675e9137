/** The file name of a downloaded transcript. */
export function buildTranscriptFilename(jobId: string, extension: string): string {
  return `transcript-${jobId}.${extension}`;
}
