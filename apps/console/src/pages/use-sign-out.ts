import { useMutation, type UseMutationResult } from '@tanstack/react-query';
import { requestJson } from '../api/client.ts';
import { stopUploadsAndDeleteUploadDatabase } from '../uploads/upload-database.ts';

interface SignOutOptions {
  /** The session has ended. */
  onSignedOut: () => Promise<void>;
  /** For a user who signs in again at once: the uploads wait, and the audio stays in the browser. */
  keepsUploads?: boolean;
}

/** Ends the session, and what the browser has of its user. */
export function useSignOut(options: SignOutOptions): UseMutationResult<void, Error, void> {
  return useMutation(signOutMutationOptions(options));
}

export function signOutMutationOptions({ onSignedOut, keepsUploads = false }: SignOutOptions) {
  return {
    mutationFn: () => requestJson<void>('POST', 'sign-out'),
    onSuccess: async () => {
      // First, so that the page that is left keeps no recordings for another sign-in.
      if (!keepsUploads) stopUploadsAndDeleteUploadDatabase();
      await onSignedOut();
    },
  };
}
