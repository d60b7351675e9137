import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { PROFILE_QUERY_KEY_PREFIX, sessionQueryOptions } from '../../api/queries.ts';
import type { ConsoleApiSchema, Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { saveFileAsDownload } from '../../lib/save-file.ts';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import { ReauthenticationDialog } from '../reauthentication-dialog.tsx';

interface SecondFactorProps {
  user: Session['user'];
  /** Whether the dialog that sets it up is open. */
  onSettingUp?: (isSettingUp: boolean) => void;
}

export function AuthenticatorAppSection({ user, onSettingUp }: SecondFactorProps) {
  const [open, setOpen] = useState<'enable' | 'replace' | 'disable' | null>(null);
  const close = () => {
    setOpen(null);
    onSettingUp?.(false);
  };
  return (
    <Section
      title={texts.profile.appTitle}
      actions={
        user.second_factor ? (
          <div className="flex flex-wrap gap-2">
            <Button onClick={() => setOpen('replace')}>{texts.profile.replace}</Button>
            <Button onClick={() => setOpen('disable')}>{texts.profile.disable}</Button>
          </div>
        ) : (
          <Button
            onClick={() => {
              setOpen('enable');
              onSettingUp?.(true);
            }}
          >
            {texts.profile.enable}
          </Button>
        )
      }
    >
      <p className="text-muted">{texts.profile.appText}</p>
      <p>
        <span
          className={`rounded border px-1.5 py-0.5 text-xs font-medium ${user.second_factor ? 'border-success text-success' : 'border-line text-muted'}`}
        >
          {user.second_factor ? texts.profile.appOn : texts.profile.appOff}
        </span>
        {user.second_factor && ` · ${texts.profile.codesLeft(user.recovery_codes)}`}
      </p>
      {(open === 'enable' || open === 'replace') && (
        <EnableDialog isReplacement={open === 'replace'} onClose={close} />
      )}
      {open === 'disable' && <DisableDialog onClose={close} />}
    </Section>
  );
}

function EnableDialog({ isReplacement, onClose }: { isReplacement: boolean; onClose: () => void }) {
  const [code, setCode] = useState('');
  const queryClient = useQueryClient();
  const enroll = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      requestJson<ConsoleApiSchema<'SecondFactorSecretResponse'>>(
        'POST',
        'profile/second-factor',
        confirmation,
      ),
  });
  const enable = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'RecoveryCodesResponse'>>('POST', 'profile/second-factor/enable', {
        code: code.trim(),
      }),
    // The other sessions have ended.
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries(sessionQueryOptions),
        queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX }),
      ]),
  });
  useUnsavedInputGuard(enable.isPending || enable.data !== undefined, 'secret');
  if (enable.data)
    return (
      <Dialog key="codes" title={texts.profile.codesTitle} closesOnEscape={false} onClose={onClose}>
        <p>{texts.profile.codesText}</p>
        <ul className="bg-raised grid gap-y-1 rounded p-3 font-mono break-all">
          {enable.data.recovery_codes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={enable.data.recovery_codes.join('\n')} label={texts.profile.copyCodes} />
          <Button onClick={() => saveCodes(enable.data.recovery_codes)}>{texts.profile.downloadCodes}</Button>
        </div>
        <Button look="primary" className="self-end" onClick={onClose}>
          {texts.profile.codesKept}
        </Button>
      </Dialog>
    );
  if (!enroll.data)
    return (
      <ReauthenticationDialog
        title={isReplacement ? texts.profile.replaceTitle : texts.profile.confirmTitle}
        {...(isReplacement && { text: texts.profile.replaceText })}
        action={texts.continue}
        busy={enroll.isPending}
        error={enroll.error}
        onConfirm={(confirmation) => enroll.mutate(confirmation)}
        onClose={onClose}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!enable.isPending) enable.mutate();
  };
  return (
    <Dialog key="scan" title={texts.profile.scanTitle} closesOnEscape={!enable.isPending} onClose={onClose}>
      <p>{texts.profile.scanText}</p>
      <div className="self-center">
        <QrCode text={enroll.data.uri} label={texts.profile.qrLabel} />
      </div>
      <CopyField
        label={texts.profile.secret}
        value={enroll.data.secret}
        shown={enroll.data.secret.replaceAll(/.{4}(?=.)/g, '$& ')}
      />
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <TextField
          label={texts.profile.code}
          error={findFieldMessageOfApiError(enable.error, 'code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <ActionErrorNotice error={enable.error} shownFields={['code']} />
        <DialogActions keepsAnswer busy={enable.isPending} onClose={onClose}>
          {texts.continue}
        </DialogActions>
      </form>
    </Dialog>
  );
}

function saveCodes(codes: readonly string[]): void {
  saveFileAsDownload(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), texts.profile.codesFile);
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const disable = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      requestJson<void>('DELETE', 'profile/second-factor', confirmation),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX });
      await queryClient.invalidateQueries(sessionQueryOptions);
      onClose();
    },
  });
  return (
    <ReauthenticationDialog
      title={texts.profile.disableTitle}
      text={texts.profile.disableText}
      action={texts.profile.disable}
      look="danger"
      busy={disable.isPending}
      error={disable.error}
      onConfirm={(confirmation) => disable.mutate(confirmation)}
      onClose={onClose}
    />
  );
}
