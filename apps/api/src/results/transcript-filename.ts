/** What a browser saves a transcript as. */
export function transcriptFilename(jobId: string, extension: string): string {
  return `transcript-${jobId}.${extension}`;
}
