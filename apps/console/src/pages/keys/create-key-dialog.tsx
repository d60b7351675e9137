import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKeysQueryOptions } from '../../api/keys.ts';
import { requestJson } from '../../api/client.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import {
  CREATE_KEY_BODY_FIELD_NAMES,
  CreateKeyFields,
  type KeyFieldValues,
  toCreateKeyBody,
} from './create-key-fields.tsx';

const words = texts.keys;

export function CreateKeyDialog({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [values, setValues] = useState<KeyFieldValues>({ name: '', days: 0 });
  const create = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'CreatedApiKeyResponse'>>('POST', 'keys', toCreateKeyBody(values)),
    // The key is shown once and stays in no cache.
    gcTime: 0,
    onSuccess: () => void queryClient.invalidateQueries(apiKeysQueryOptions(accountId)),
  });
  useUnsavedInputGuard(create.isPending, 'secret');
  if (create.data)
    return (
      <ShownOnceDialog
        title={words.createdTitle}
        label={words.key}
        value={create.data.api_key}
        done={words.done}
        onClose={onClose}
      >
        <p>{words.createdText}</p>
      </ShownOnceDialog>
    );
  return (
    <Dialog title={words.createTitle} closesOnEscape={!create.isPending} onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (!create.isPending) create.mutate();
        }}
      >
        <CreateKeyFields values={values} error={create.error} onChange={setValues} />
        <ActionErrorNotice error={create.error} shownFields={CREATE_KEY_BODY_FIELD_NAMES} />
        <DialogActions keepsAnswer busy={create.isPending} onClose={onClose}>
          {words.create}
        </DialogActions>
      </form>
    </Dialog>
  );
}
