import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { requestJson } from '../../api/client.ts';
import { type Key, apiKeysQueryOptions } from '../../api/keys.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.keys;

interface RevokeKeyDialogProps {
  accountId: string;
  apiKey: Key;
  onRevoked: () => void;
  onClose: () => void;
}

/** Says what breaks, as of now. */
export function RevokeKeyDialog({ accountId, apiKey, onRevoked, onClose }: RevokeKeyDialogProps) {
  const queryClient = useQueryClient();
  const list = useQuery({ ...apiKeysQueryOptions(accountId), refetchOnMount: 'always' });
  const { last_used_at, open_jobs } = list.data?.keys.find(({ id }) => id === apiKey.id) ?? apiKey;
  const revoke = useMutation({
    mutationFn: () => requestJson<void>('DELETE', `keys/${apiKey.id}`),
    onSuccess: async () => {
      await queryClient.invalidateQueries(apiKeysQueryOptions(accountId));
      onRevoked();
      onClose();
    },
  });
  return (
    <Dialog title={words.revokeTitle(apiKey.name)} onClose={onClose}>
      <p>{words.revokeText}</p>
      <ul className="list-disc pl-5">
        <li>
          {last_used_at === null ? (
            words.revokeNeverUsed
          ) : (
            <>
              {words.revokeUsed} <Time value={last_used_at} relative />
            </>
          )}
        </li>
        <li>{words.revokeJobs(open_jobs, formatNumber(open_jobs))}</li>
      </ul>
      <ActionErrorNotice error={revoke.error} />
      <DialogActions
        look="danger"
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate()}
        onClose={onClose}
      >
        {words.revoke}
      </DialogActions>
    </Dialog>
  );
}
