import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { removeCachedSessionData } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { useLeaveQuestion } from '../components/leave-guard.tsx';
import { Menu, MenuItem, MenuLabel } from '../components/menu.tsx';
import { texts } from '../texts/index.ts';
import { useSignOutWithConfirmation } from './use-sign-out-with-confirmation.tsx';

export function UserMenu({ session: { user } }: { session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { askBefore, dialog } = useLeaveQuestion();
  const { signOut, message } = useSignOutWithConfirmation(user.id, async () => {
    await navigate({ to: '/sign-in', ignoreBlocker: true });
    removeCachedSessionData(queryClient);
  });
  return (
    <>
      <Menu label={`${texts.navigation.user}: ${user.name || user.email}`} trigger={user.name || user.email}>
        <MenuLabel>
          {texts.signedInAs} {user.email}
        </MenuLabel>
        <MenuItem onSelect={() => void navigate({ to: '/profile' })}>{texts.navigation.profile}</MenuItem>
        <MenuItem onSelect={() => askBefore(() => void signOut())}>{texts.navigation.signOut}</MenuItem>
      </Menu>
      {dialog}
      {message}
    </>
  );
}
