import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { CorrectedTextBySegment } from './plain-text.ts';
import type { TranscriptDocument } from './transcript-document.ts';
import {
  correctionsQueryOptions,
  saveCorrection,
  saveSpeakerNames,
  transcriptQueryOptions,
} from './transcript-queries.ts';

/** By the labels of the speakers; null removes a name. */
export type SpeakerNameChanges = Readonly<Record<string, string | null>>;

export interface SegmentCorrection {
  segment: number;
  /** Null is the original. */
  text: string | null;
  /** The correction that the person has seen; null for none. */
  replaces: string | null;
}

/** The cache keeps only what the service has accepted: what is being saved is the `variables` of pending mutations. */
export const speakerNamesMutationOptions = (queryClient: QueryClient, accountId: string, jobId: string) =>
  mutationOptions({
    mutationKey: [accountId, 'speaker-names', jobId],
    // One at a time: the last names that were entered are the last that the service gets.
    scope: { id: `speaker-names:${jobId}` },
    mutationFn: (names: SpeakerNameChanges) => saveSpeakerNames(jobId, names),
    onSuccess: ({ speakers }) => {
      queryClient.setQueryData(
        transcriptQueryOptions(accountId, jobId).queryKey,
        (saved) => saved && applySpeakerNames(saved, [speakers]),
      );
    },
  });

/** As for the names of speakers; corrections of different segments are saved at the same time. */
export const correctionMutationOptions = (queryClient: QueryClient, accountId: string, jobId: string) => {
  const mutationKey = [accountId, 'correction', jobId];
  const { queryKey } = correctionsQueryOptions(accountId, jobId);
  return mutationOptions({
    mutationKey,
    mutationFn: (correction: SegmentCorrection) => saveCorrection(jobId, correction),
    onSuccess: async (_answer, correction) => {
      // Its response would be of the time before.
      await queryClient.cancelQueries({ queryKey });
      queryClient.setQueryData(queryKey, (saved) => saved && mergeCorrections(saved, [correction]));
    },
    onSettled: () => {
      // Not awaited: a failure is reported at once.
      if (queryClient.isMutating({ mutationKey }) === 1) void queryClient.invalidateQueries({ queryKey });
    },
  });
};

/** @param changes the later ones win */
export function applySpeakerNames(
  saved: TranscriptDocument,
  changes: readonly SpeakerNameChanges[],
): TranscriptDocument {
  if (changes.length === 0) return saved;
  const names: SpeakerNameChanges = Object.assign({}, ...changes);
  return {
    ...saved,
    speakers: saved.speakers.map((speaker) =>
      speaker.id in names ? { ...speaker, name: names[speaker.id] ?? null } : speaker,
    ),
  };
}

/** @param changes the later ones win */
export function mergeCorrections(
  saved: CorrectedTextBySegment,
  changes: readonly SegmentCorrection[],
): CorrectedTextBySegment {
  if (changes.length === 0) return saved;
  const texts = new Map(saved);
  for (const { segment, text } of changes) {
    if (text === null) texts.delete(segment);
    else texts.set(segment, text);
  }
  return texts;
}
