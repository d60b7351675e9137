import { queryOptions } from '@tanstack/react-query';
import { LARGE_RESPONSE_TIMEOUT_MS, requestJson } from '../api/client.ts';
import type { ConsoleApiSchema } from '../api/types.ts';
import type { CorrectedTextBySegment } from './plain-text.ts';
import type { TranscriptDocument } from './transcript-document.ts';

export const transcriptQueryOptions = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'transcript', jobId],
    queryFn: () =>
      requestJson<TranscriptDocument>('GET', `${jobPath(jobId)}/transcript?format=json`, undefined, {
        timeoutMs: LARGE_RESPONSE_TIMEOUT_MS,
      }),
    staleTime: Infinity,
    gcTime: 60_000,
    // Comparing a hundred thousand words would stop the page for a moment.
    structuralSharing: false,
  });

export const correctionsQueryOptions = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'corrections', jobId],
    queryFn: async (): Promise<CorrectedTextBySegment> => {
      const { corrections } = await requestJson<ConsoleApiSchema<'CorrectionListResponse'>>(
        'GET',
        `${jobPath(jobId)}/corrections`,
      );
      return new Map(corrections.map(({ segment, text }) => [segment, text]));
    },
    structuralSharing: false,
  });

/**
 * @param correction its text is null for the original
 * @throws ApiError `correction_changed` if the segment has another correction than the one that it replaces
 */
export function saveCorrection(
  jobId: string,
  { segment, ...correction }: ConsoleApiSchema<'CorrectSegment'> & { segment: number },
): Promise<unknown> {
  return requestJson('PUT', `${jobPath(jobId)}/corrections/${segment}`, correction);
}

/** @param names null removes a name */
export function saveSpeakerNames(
  jobId: string,
  names: Readonly<Record<string, string | null>>,
): Promise<{ speakers: Record<string, string | null> }> {
  return requestJson('PATCH', `${jobPath(jobId)}/speakers`, { speakers: names });
}

function jobPath(jobId: string): string {
  return `jobs/${encodeURIComponent(jobId)}`;
}
