import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { CopyField } from '../components/copy-field.tsx';
import { Dialog } from '../components/dialog.tsx';
import { PasswordField, TextField } from '../components/field.tsx';
import { ErrorNotice, fieldError } from '../components/notice.tsx';
import { Section } from '../components/page.tsx';
import { QrCode } from '../components/qr-code.tsx';
import { texts } from '../texts.ts';

export function SecondFactorSection({ user }: { user: Session['user'] }) {
  const [open, setOpen] = useState<'enable' | 'disable' | null>(null);
  const close = () => setOpen(null);
  return (
    <Section
      title={texts.profile.factorTitle}
      actions={
        user.second_factor ? (
          <Button onClick={() => setOpen('disable')}>{texts.profile.disable}</Button>
        ) : (
          <Button onClick={() => setOpen('enable')}>{texts.profile.enable}</Button>
        )
      }
    >
      <p className="text-muted">{texts.profile.factorText}</p>
      <p>
        <span className={user.second_factor ? 'text-success font-medium' : 'font-medium'}>
          {user.second_factor ? texts.profile.factorOn : texts.profile.factorOff}
        </span>
        {user.second_factor && ` · ${texts.profile.codesLeft(user.recovery_codes)}`}
      </p>
      {open === 'enable' && <EnableDialog onClose={close} />}
      {open === 'disable' && <DisableDialog onClose={close} />}
    </Section>
  );
}

function EnableDialog({ onClose }: { onClose: () => void }) {
  const [code, setCode] = useState('');
  const queryClient = useQueryClient();
  const enroll = useMutation({
    mutationFn: (password: string) =>
      request<{ secret: string; uri: string }>('POST', 'profile/second-factor', toConfirmation(password)),
  });
  const enable = useMutation({
    mutationFn: () =>
      request<{ recovery_codes: string[] }>('POST', 'profile/second-factor/enable', { code: code.trim() }),
    onSuccess: () => queryClient.invalidateQueries(sessionQuery),
  });
  if (enable.data)
    return (
      <Dialog key="codes" title={texts.profile.codesTitle} closesOnEscape={false} onClose={onClose}>
        <p>{texts.profile.codesText}</p>
        <ul className="bg-raised grid grid-cols-2 gap-x-4 gap-y-1 rounded p-3 font-mono">
          {enable.data.recovery_codes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
        <CopyField label={texts.profile.codesTitle} value={enable.data.recovery_codes.join(' ')} />
        <Button look="primary" className="self-end" onClick={onClose}>
          {texts.profile.codesKept}
        </Button>
      </Dialog>
    );
  if (!enroll.data)
    return (
      <ConfirmPassword
        title={texts.profile.confirmTitle}
        action={texts.continue}
        busy={enroll.isPending}
        error={enroll.error}
        onConfirm={(password) => enroll.mutate(password)}
        onClose={onClose}
      />
    );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!enable.isPending) enable.mutate();
  };
  return (
    <Dialog key="scan" title={texts.profile.scanTitle} onClose={onClose}>
      <p>{texts.profile.scanText}</p>
      <div className="self-center">
        <QrCode text={enroll.data.uri} label={texts.profile.qrLabel} />
      </div>
      <CopyField label={texts.profile.secret} value={enroll.data.secret} />
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <TextField
          label={texts.profile.code}
          error={fieldError(enable.error, 'code')}
          inputMode="numeric"
          autoComplete="one-time-code"
          required
          autoFocus
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <ErrorNotice error={enable.error} shownFields={['code']} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" busy={enable.isPending}>
            {texts.continue}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function DisableDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const disable = useMutation({
    mutationFn: (password: string) =>
      request<void>('DELETE', 'profile/second-factor', toConfirmation(password)),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sessionQuery);
      onClose();
    },
  });
  return (
    <ConfirmPassword
      title={texts.profile.disableTitle}
      text={texts.profile.disableText}
      action={texts.profile.disable}
      busy={disable.isPending}
      error={disable.error}
      onConfirm={(password) => disable.mutate(password)}
      onClose={onClose}
    />
  );
}

interface ConfirmPasswordProps {
  title: string;
  text?: string;
  action: string;
  busy: boolean;
  error: unknown;
  onConfirm: (password: string) => void;
  onClose: () => void;
}

function ConfirmPassword({ title, text, action, busy, error, onConfirm, onClose }: ConfirmPasswordProps) {
  const [password, setPassword] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onConfirm(password);
  };
  return (
    <Dialog key="password" title={title} onClose={onClose}>
      {text !== undefined && <p>{text}</p>}
      <form className="flex flex-col gap-3" onSubmit={submit}>
        <PasswordField
          label={texts.password.current}
          error={fieldError(error, 'current_password')}
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ErrorNotice error={error} shownFields={['current_password']} />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="primary" type="submit" busy={busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** A user without a password sends none. */
function toConfirmation(password: string): { current_password?: string } {
  return password === '' ? {} : { current_password: password };
}
