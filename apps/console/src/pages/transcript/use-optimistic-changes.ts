import { type MutationKey, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import type { CorrectedTextBySegment } from '../../transcript/plain-text.ts';
import {
  type SegmentCorrection,
  correctionMutationOptions,
  type SpeakerNameChanges,
  speakerNamesMutationOptions,
  mergeCorrections,
  applySpeakerNames,
} from '../../transcript/transcript-changes.ts';
import type { TranscriptDocument } from '../../transcript/transcript-document.ts';

/**
 * The document with the names that are being saved.
 *
 * @param onRejected gets names that could not be saved, also if others are being saved by then
 */
export function useOptimisticSpeakerNames(
  accountId: string,
  jobId: string,
  saved: TranscriptDocument,
  onRejected: (names: SpeakerNameChanges, error: Error) => void,
) {
  const options = speakerNamesMutationOptions(useQueryClient(), accountId, jobId);
  const { mutate } = useMutation({ ...options, onError: (error, names) => onRejected(names, error) });
  const pending = usePendingVariables<SpeakerNameChanges>(options.mutationKey);
  useUnsavedInputGuard(pending.length > 0);
  const document = useMemo(() => applySpeakerNames(saved, pending), [saved, pending]);
  return { document, saveNames: mutate };
}

/** The corrections with those that are being saved. */
export function useOptimisticCorrections(accountId: string, jobId: string, saved: CorrectedTextBySegment) {
  const options = correctionMutationOptions(useQueryClient(), accountId, jobId);
  const { mutateAsync } = useMutation(options);
  const pending = usePendingVariables<SegmentCorrection>(options.mutationKey);
  const corrections = useMemo(() => mergeCorrections(saved, pending), [saved, pending]);
  return { corrections, saveCorrection: mutateAsync };
}

function usePendingVariables<T>(mutationKey: MutationKey | undefined): T[] {
  return useMutationState({
    filters: { mutationKey: mutationKey ?? [], status: 'pending' },
    select: ({ state }) => state.variables as T,
  });
}
