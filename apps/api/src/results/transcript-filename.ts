/** What a browser saves a transcript as. */
export function buildTranscriptFilename(jobId: string, extension: string): string {
  return `transcript-${jobId}.${extension}`;
}
