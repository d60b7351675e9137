import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import {
  passkeysQueryOptions,
  PROFILE_QUERY_KEY_PREFIX,
  sessionQueryOptions,
  offeredSignInMethodsQueryOptions,
} from '../../api/queries.ts';
import type { Passkey, ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import {
  ActionErrorNotice,
  findFieldMessageOfApiError,
  LoadErrorNotice,
  Notice,
} from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { describeUserAgent } from '../../lib/format.ts';
import {
  arePasskeysSupported,
  createPasskey,
  PasskeyCancelledError,
  PasskeyExistsError,
} from '../../lib/passkeys.ts';
import { texts } from '../../texts/index.ts';
import { ReauthenticationDialog } from '../reauthentication-dialog.tsx';

const MAX_NAME_LENGTH = 100;

type OpenDialog = { name: 'add' } | { name: 'rename' | 'remove'; passkey: Passkey };

export function PasskeysSection() {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  const passkeys = useQuery(passkeysQueryOptions);
  const methods = useQuery(offeredSignInMethodsQueryOptions);
  const close = () => setOpen(null);
  const isUnavailable = methods.data !== undefined && !(methods.data.passkey && arePasskeysSupported());
  const columns: Column<Passkey>[] = [
    { key: 'name', title: texts.profile.passkeyName, render: ({ name }) => name },
    {
      key: 'created',
      title: texts.profile.passkeyCreated,
      render: ({ created_at }) => <Time value={created_at} />,
    },
    {
      key: 'used',
      title: texts.profile.passkeyUsed,
      render: ({ last_used_at }) => <Time value={last_used_at} relative />,
    },
    {
      key: 'actions',
      title: texts.members.actions,
      titleHidden: true,
      render: (passkey) => (
        <div className="flex flex-wrap justify-end gap-2 max-md:justify-start">
          <Button
            aria-label={texts.profile.passkeyRenameLabel(passkey.name)}
            onClick={() => setOpen({ name: 'rename', passkey })}
          >
            {texts.profile.passkeyRename}
          </Button>
          <Button
            look="danger"
            aria-label={texts.profile.passkeyRemoveLabel(passkey.name)}
            onClick={() => setOpen({ name: 'remove', passkey })}
          >
            {texts.profile.passkeyRemove}
          </Button>
        </div>
      ),
    },
  ];
  return (
    <Section
      title={texts.profile.passkeysTitle}
      actions={
        methods.data &&
        !isUnavailable && <Button onClick={() => setOpen({ name: 'add' })}>{texts.profile.passkeyAdd}</Button>
      }
    >
      <p className="text-muted">{texts.profile.passkeysText}</p>
      {isUnavailable && <p>{texts.profile.passkeysUnavailable}</p>}
      <RemovableRows count={passkeys.data?.length ?? 0} status={status}>
        {passkeys.isError && !passkeys.data ? (
          <LoadErrorNotice error={passkeys.error} onRetry={() => void passkeys.refetch()} />
        ) : !passkeys.data ? (
          <Skeleton rows={1} />
        ) : passkeys.data.length > 0 ? (
          <Table
            label={texts.profile.passkeysTitle}
            columns={columns}
            rows={passkeys.data}
            keyOf={({ id }) => id}
          />
        ) : (
          !isUnavailable && <p>{texts.profile.passkeysNone}</p>
        )}
      </RemovableRows>
      {open?.name === 'add' && <AddDialog onClose={close} />}
      {open?.name === 'rename' && <RenameDialog passkey={open.passkey} onClose={close} />}
      {open?.name === 'remove' && (
        <RemoveDialog
          passkey={open.passkey}
          onRemoved={() => setStatus(texts.profile.passkeyRemoved(open.passkey.name))}
          onClose={close}
        />
      )}
    </Section>
  );
}

function AddDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState(() => describeUserAgent(navigator.userAgent) ?? '');
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: async (confirmation: { current_password?: string }) => {
      const options = await requestJson<PublicKeyCredentialCreationOptionsJSON>(
        'POST',
        'profile/passkeys/options',
        confirmation,
      );
      const credential = await createPasskey(options);
      await requestJson<ConsoleApiSchema<'NewPasskeyResponse'>>('POST', 'profile/passkeys', {
        credential,
        name: name.trim(),
      });
    },
    onSuccess: async () => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX }),
        // It has two factors now.
        queryClient.invalidateQueries(sessionQueryOptions),
      ]);
      onClose();
    },
  });
  const problem =
    add.error instanceof PasskeyCancelledError
      ? texts.profile.passkeyCancelled
      : add.error instanceof PasskeyExistsError
        ? texts.profile.passkeyExists
        : null;
  return (
    <ReauthenticationDialog
      title={texts.profile.passkeyAddTitle}
      text={texts.profile.passkeyAddText}
      action={texts.continue}
      busy={add.isPending}
      error={problem === null ? add.error : null}
      fields={['name']}
      onConfirm={(confirmation) => add.mutate(confirmation)}
      onClose={onClose}
    >
      {problem !== null && <Notice kind="error">{problem}</Notice>}
      <NameField value={name} error={add.error} onChange={setName} />
    </ReauthenticationDialog>
  );
}

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const [name, setName] = useState(passkey.name);
  const queryClient = useQueryClient();
  const rename = useMutation({
    mutationFn: () => requestJson<void>('PUT', toPasskeyPath(passkey), { name: name.trim() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!rename.isPending) rename.mutate();
  };
  return (
    <Dialog title={texts.profile.passkeyRenameTitle} onClose={onClose}>
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <NameField value={name} error={rename.error} onChange={setName} />
        <ActionErrorNotice error={rename.error} shownFields={['name']} />
        <DialogActions busy={rename.isPending} onClose={onClose}>
          {texts.save}
        </DialogActions>
      </form>
    </Dialog>
  );
}

interface RemoveDialogProps {
  passkey: Passkey;
  onRemoved: () => void;
  onClose: () => void;
}

function RemoveDialog({ passkey, onRemoved, onClose }: RemoveDialogProps) {
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      requestJson<void>('DELETE', toPasskeyPath(passkey), confirmation),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX });
      onRemoved();
      onClose();
    },
  });
  return (
    <ReauthenticationDialog
      title={texts.profile.passkeyRemoveTitle(passkey.name)}
      text={texts.profile.passkeyRemoveText}
      action={texts.profile.passkeyRemove}
      look="danger"
      busy={remove.isPending}
      error={remove.error}
      onConfirm={(confirmation) => remove.mutate(confirmation)}
      onClose={onClose}
    />
  );
}

interface NameFieldProps {
  value: string;
  error: unknown;
  onChange: (name: string) => void;
}

function NameField({ value, error, onChange }: NameFieldProps) {
  return (
    <TextField
      label={texts.profile.passkeyName}
      error={findFieldMessageOfApiError(error, 'name')}
      required
      maxCharacters={MAX_NAME_LENGTH}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function toPasskeyPath({ id }: Passkey): string {
  return `profile/passkeys/${encodeURIComponent(id)}`;
}
