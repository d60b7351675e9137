import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Session } from '../api/types.ts';
import { ConfirmDialog } from '../components/dialog.tsx';
import { useLeaveQuestion } from '../components/leave-guard.tsx';
import { Menu, MenuItem, MenuLabel } from '../components/menu.tsx';
import { ActionErrorNotice } from '../components/notice.tsx';
import { texts } from '../texts/index.ts';
import { countUnsentUploads } from '../uploads/count-unsent-uploads.ts';
import { useSignOut } from './use-sign-out.ts';

export function UserMenu({ session: { user } }: { session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { askBefore, dialog } = useLeaveQuestion();
  const [unsentUploads, setUnsentUploads] = useState(0);
  const signOut = useSignOut({
    onSignedOut: async () => {
      await navigate({ to: '/sign-in', ignoreBlocker: true });
      queryClient.clear();
    },
  });
  const signOutUnlessUploading = async () => {
    const count = await countUnsentUploads(user.id);
    if (count === 0) signOut.mutate();
    else setUnsentUploads(count);
  };
  return (
    <>
      <Menu label={`${texts.navigation.user}: ${user.name || user.email}`} trigger={user.name || user.email}>
        <MenuLabel>
          {texts.signedInAs} {user.email}
        </MenuLabel>
        <MenuItem onSelect={() => void navigate({ to: '/profile' })}>{texts.navigation.profile}</MenuItem>
        <MenuItem onSelect={() => askBefore(() => void signOutUnlessUploading())}>
          {texts.navigation.signOut}
        </MenuItem>
      </Menu>
      {dialog}
      {unsentUploads > 0 ? (
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
      )}
    </>
  );
}
