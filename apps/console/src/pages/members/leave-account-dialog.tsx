import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { requestJson } from '../../api/client.ts';
import { reloadSessionAfterAccountSwitch } from '../../api/queries.ts';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { texts } from '../../texts/index.ts';

interface LeaveAccountDialogProps {
  account: { name: string };
  onClose: () => void;
}

/** Leads to the start page of another account of the user, or to the one that says that there is none. */
export function LeaveAccountDialog({ account, onClose }: LeaveAccountDialogProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const leave = useMutation({
    mutationFn: () => requestJson<void>('POST', 'members/leave'),
    onSuccess: async () => {
      await reloadSessionAfterAccountSwitch(queryClient);
      await navigate({ to: '/', state: { notice: texts.members.left(account.name) } });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.members.leaveTitle(account.name)}
      text={texts.members.leaveText}
      action={texts.members.leave}
      busy={leave.isPending}
      error={leave.error}
      onConfirm={() => leave.mutate()}
      onClose={onClose}
    />
  );
}
