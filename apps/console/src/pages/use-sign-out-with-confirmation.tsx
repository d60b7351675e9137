import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../components/dialog.tsx';
import { ActionErrorNotice } from '../components/notice.tsx';
import { texts } from '../texts/index.ts';
import { countUnsentUploads } from '../uploads/count-unsent-uploads.ts';
import { useSignOut } from './use-sign-out.ts';

interface SignOutWithConfirmation {
  /** Signs out at once if the user has no unsent uploads. */
  signOut: () => Promise<void>;
  isPending: boolean;
  /** The confirmation dialog, or the error of a sign-out that failed. */
  message: ReactNode;
}

/** Signs the user out, and asks before that deletes uploads that are not sent. */
export function useSignOutWithConfirmation(
  userId: string,
  onSignedOut: () => Promise<void>,
): SignOutWithConfirmation {
  const [unsentUploads, setUnsentUploads] = useState(0);
  const signOut = useSignOut({ onSignedOut });
  const message =
    unsentUploads > 0 ? (
      <ConfirmDialog
        title={texts.unsentUploads.title}
        text={texts.unsentUploads.text(unsentUploads)}
        action={texts.navigation.signOut}
        cancel={texts.unsaved.stay}
        busy={signOut.isPending}
        error={signOut.error}
        onConfirm={() => signOut.mutate()}
        onClose={() => {
          setUnsentUploads(0);
          signOut.reset();
        }}
      />
    ) : (
      <ActionErrorNotice error={signOut.error} />
    );
  return {
    signOut: async () => {
      const count = await countUnsentUploads(userId);
      if (count === 0) signOut.mutate();
      else setUnsentUploads(count);
    },
    isPending: signOut.isPending,
    message,
  };
}
