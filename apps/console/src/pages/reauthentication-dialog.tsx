import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { ApiError } from '../api/client.ts';
import { removeCachedSessionData, sessionQueryOptions } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { Dialog } from '../components/dialog.tsx';
import { PasswordField } from '../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../components/notice.tsx';
import { parseSafeReturnPath } from '../lib/return-path.ts';
import { texts } from '../texts/index.ts';
import { useSignOut } from './use-sign-out.ts';

interface ConfirmUserProps {
  title: string;
  text?: string;
  action: string;
  look?: 'primary' | 'danger';
  busy: boolean;
  error: unknown;
  /** Other fields of the form, and the names under which the API reports them. */
  children?: ReactNode;
  fields?: readonly string[];
  onConfirm: (confirmation: { current_password?: string }) => void;
  onClose: () => void;
}

const NO_FIELDS: readonly string[] = [];

/** A dialog that takes the password. A user without one has to have signed in a few minutes ago. */
export function ReauthenticationDialog({
  title,
  text,
  action,
  look = 'primary',
  busy,
  error,
  children,
  fields = NO_FIELDS,
  onConfirm,
  onClose,
}: ConfirmUserProps) {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const [password, setPassword] = useState('');
  const hasPassword = session.user.has_password;
  const needsSignIn = isSignInTooOldError(error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onConfirm(hasPassword ? { current_password: password } : {});
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {text !== undefined && <p>{text}</p>}
      <form className="flex flex-col gap-3" onSubmit={submit}>
        {children}
        {hasPassword && (
          <>
            <input type="hidden" autoComplete="username" value={session.user.email} readOnly />
            <PasswordField
              label={texts.password.current}
              error={findFieldMessageOfApiError(error, 'current_password')}
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </>
        )}
        {needsSignIn ? (
          <Notice kind="error">{texts.profile.signInAgainText(session.user.email)}</Notice>
        ) : (
          <ActionErrorNotice error={error} shownFields={['current_password', ...fields]} />
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{texts.cancel}</Button>
          {needsSignIn ? (
            <SignOutAndInAgainButton />
          ) : (
            <Button look={look} type="submit" busy={busy}>
              {action}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}

/** Ends the session and comes back to this page after the sign-in. Uploads go on then. */
export function SignOutAndInAgainButton() {
  const navigate = useNavigate();
  const { href } = useLocation();
  const queryClient = useQueryClient();
  const signOut = useSignOut({
    onSignedOut: async () => {
      await navigate({ to: '/sign-in', search: { return: parseSafeReturnPath(href) ?? undefined } });
      removeCachedSessionData(queryClient);
    },
    keepsUploads: true,
  });
  return (
    <>
      <ActionErrorNotice error={signOut.error} />
      <Button look="primary" busy={signOut.isPending} onClick={() => signOut.mutate()}>
        {texts.profile.signInAgain}
      </Button>
    </>
  );
}

export function isSignInTooOldError(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'recent_sign_in_required';
}
