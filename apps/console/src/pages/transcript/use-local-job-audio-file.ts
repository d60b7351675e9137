import { useQuery, useQueryClient } from '@tanstack/react-query';
import { matchesFingerprint } from '../../uploads/digest.ts';
import {
  type StoredJobAudioWithFileCopy,
  deleteStoredJobAudio,
  findStoredJobAudio,
  saveJobAudioCopy,
} from '../../uploads/upload-storage.ts';

export interface LocalJobAudioFileAndActions {
  /** Null without audio, undefined while the storage is read. */
  file: File | null | undefined;
  /** Whether the browser has a copy that can be removed. */
  isStored: boolean;
  /** @returns false for another file than the one that was sent */
  choose: (file: File) => Promise<boolean>;
  remove: () => Promise<void>;
}

interface Found {
  audio: StoredJobAudioWithFileCopy | null;
  chosen: File | null;
}

export const buildJobAudioQueryKey = (owner: string, jobId: string) => ['audio', owner, jobId] as const;

/** The audio of a job: the file that this browser sent, or one that is chosen. */
export function useLocalJobAudioFile(jobId: string, owner: string): LocalJobAudioFileAndActions {
  const queryClient = useQueryClient();
  const queryKey = buildJobAudioQueryKey(owner, jobId);
  const { data } = useQuery({
    queryKey,
    queryFn: async (): Promise<Found> => ({ audio: await findStoredJobAudio(jobId, owner), chosen: null }),
    staleTime: Infinity,
    structuralSharing: false,
  });
  return {
    file: data && (data.chosen ?? data.audio?.file ?? null),
    isStored: data?.audio?.file != null,
    choose: async (chosen) => {
      const audio = data?.audio ?? null;
      if (audio && !(await matchesFingerprint(chosen, audio))) return false;
      queryClient.setQueryData<Found>(queryKey, { audio: audio && { ...audio, file: chosen }, chosen });
      if (audio) await saveJobAudioCopy(jobId, chosen);
      return true;
    },
    remove: async () => {
      await deleteStoredJobAudio(jobId);
      queryClient.setQueryData<Found>(queryKey, { audio: null, chosen: null });
    },
  };
}
