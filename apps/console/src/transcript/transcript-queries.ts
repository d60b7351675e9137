import { queryOptions } from '@tanstack/react-query';
import { request } from '../api/client.ts';
import type { Schema } from '../api/types.ts';
import type { Corrections } from './plain-text.ts';
import type { TranscriptDocument } from './transcript-document.ts';

export const transcriptQuery = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'transcript', jobId],
    queryFn: () => request<TranscriptDocument>('GET', `${jobPath(jobId)}/transcript?format=json`),
    staleTime: Infinity,
    gcTime: 60_000,
    // Comparing a hundred thousand words would stop the page for a moment.
    structuralSharing: false,
  });

export const correctionsQuery = (accountId: string, jobId: string) =>
  queryOptions({
    queryKey: [accountId, 'corrections', jobId],
    queryFn: async (): Promise<Corrections> => {
      const { corrections } = await request<Schema<'CorrectionListResponse'>>(
        'GET',
        `${jobPath(jobId)}/corrections`,
      );
      return new Map(corrections.map(({ segment, text }) => [segment, text]));
    },
    structuralSharing: false,
  });

/** @param text null removes the correction */
export function saveCorrection(jobId: string, segment: number, text: string | null): Promise<unknown> {
  const path = `${jobPath(jobId)}/corrections/${segment}`;
  return text === null ? request('DELETE', path) : request('PUT', path, { text });
}

/** @param names null removes a name */
export function saveSpeakerNames(
  jobId: string,
  names: Readonly<Record<string, string | null>>,
): Promise<{ speakers: Record<string, string | null> }> {
  return request('PATCH', `${jobPath(jobId)}/speakers`, { speakers: names });
}

function jobPath(jobId: string): string {
  return `jobs/${encodeURIComponent(jobId)}`;
}
