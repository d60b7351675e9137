import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKeysQueryOptions } from '../../api/keys.ts';
import { requestJson } from '../../api/client.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import { ErrorNotice, getFieldErrorMessage } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.keys;
const SHOWN_FIELDS = ['name', 'expires_at'];
const DAY_MS = 86_400_000;

export function CreateKeyDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [name, setName] = useState('');
  const [days, setDays] = useState(0);
  const create = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'CreatedApiKeyResponse'>>('POST', 'keys', {
        name: name.trim(),
        expires_at: days === 0 ? null : new Date(Date.now() + days * DAY_MS).toISOString(),
      }),
    // The key is shown once and stays in no cache.
    gcTime: 0,
    onSuccess: () => void queryClient.invalidateQueries(apiKeysQueryOptions(accountId)),
  });
  if (create.data)
    return (
      <Dialog title={words.createdTitle} onClose={onClose} closesOnEscape={false}>
        <p>{words.createdText}</p>
        <CopyField label={words.key} value={create.data.api_key} />
        <Button look="primary" className="self-end" onClick={onClose}>
          {words.done}
        </Button>
      </Dialog>
    );
  return (
    <Dialog title={words.createTitle} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isPending) create.mutate();
        }}
      >
        <TextField
          label={words.name}
          help={words.nameHelp}
          error={getFieldErrorMessage(create.error, 'name')}
          required
          maxLength={80}
          autoComplete="off"
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <SelectField
          label={words.expiry}
          error={getFieldErrorMessage(create.error, 'expires_at')}
          value={days}
          onChange={(event) => setDays(Number(event.target.value))}
        >
          {Object.entries(words.expiries).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <ErrorNotice error={create.error} shownFields={SHOWN_FIELDS} />
        <DialogActions busy={create.isPending} onClose={onClose}>
          {words.create}
        </DialogActions>
      </form>
    </Dialog>
  );
}
