import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { type Key, apiKeysQueryOptions, rateLimitIncreaseRequestsQueryOptions } from '../../api/keys.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError } from '../../components/notice.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';

const words = texts.keys.requests;
const SHOWN_FIELDS = ['requests_per_minute', 'reason'];

interface LimitRequestDialogProps {
  accountId: string;
  apiKey: Key;
  defaultLimits: Record<string, number>;
  onSent: () => void;
  onClose: () => void;
}

export function RequestRateLimitIncreaseDialog({
  accountId,
  apiKey,
  defaultLimits,
  onSent,
  onClose,
}: LimitRequestDialogProps) {
  const queryClient = useQueryClient();
  const [limit, setLimit] = useState(Object.keys(defaultLimits)[0] ?? '');
  const [perMinute, setPerMinute] = useState('');
  const [reason, setReason] = useState('');
  const send = useMutation({
    mutationFn: () =>
      requestJson<void>('POST', 'limit-requests', {
        ...{ key_id: apiKey.id, limit, requests_per_minute: Number(perMinute), reason: reason.trim() },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(rateLimitIncreaseRequestsQueryOptions(accountId));
      onSent();
      onClose();
    },
    // Somebody may have revoked the key meanwhile.
    onError: () => void queryClient.invalidateQueries(apiKeysQueryOptions(accountId)),
  });
  const current = apiKey.limits[limit] ?? defaultLimits[limit] ?? 0;
  return (
    <Dialog title={words.askTitle(apiKey.name)} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!send.isPending) send.mutate();
        }}
      >
        <SelectField label={words.limit} value={limit} onChange={(event) => setLimit(event.target.value)}>
          {Object.keys(defaultLimits).map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          label={words.perMinute}
          help={words.current(formatNumber(current))}
          error={findFieldMessageOfApiError(send.error, 'requests_per_minute')}
          type="number"
          min={1}
          step={1}
          required
          value={perMinute}
          onChange={(event) => setPerMinute(event.target.value)}
        />
        <TextField
          label={words.reason}
          help={words.reasonHelp}
          error={findFieldMessageOfApiError(send.error, 'reason')}
          required
          maxLength={1_000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <ActionErrorNotice error={send.error} shownFields={SHOWN_FIELDS} />
        <DialogActions busy={send.isPending} onClose={onClose}>
          {words.send}
        </DialogActions>
      </form>
    </Dialog>
  );
}
