import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { PROFILE_QUERY_KEY_PREFIX, sessionQueryOptions } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import { BrowserSessionsSection } from './browser-sessions.tsx';
import { isSignInTooOldError, SignOutAndInAgainButton } from '../reauthentication-dialog.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { AuthenticatorAppSection } from './authenticator-app.tsx';
import { SecurityEventsSection } from './security-events.tsx';
import { UserNameSection } from './user-name.tsx';

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  return (
    <Page title={texts.profile.title} intro={session.user.email}>
      <UserNameSection name={session.user.name} />
      <PasswordSection user={session.user} />
      <AuthenticatorAppSection user={session.user} />
      <PasskeysSection />
      <BrowserSessionsSection />
      <SecurityEventsSection />
    </Page>
  );
}

function PasswordSection({ user }: { user: Session['user'] }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      requestJson<void>('PUT', 'profile/password', {
        password,
        ...(user.has_password && { current_password: current }),
      }),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      await queryClient.invalidateQueries(sessionQueryOptions);
      await queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Section title={texts.profile.passwordTitle}>
      <p className="text-muted">
        {user.has_password ? texts.profile.passwordText : texts.profile.passwordNone}
      </p>
      <form className="flex max-w-md flex-col gap-3" onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={user.email} readOnly />
        {user.has_password && (
          <PasswordField
            label={texts.password.current}
            error={findFieldMessageOfApiError(save.error, 'current_password')}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <PasswordField
          label={texts.password.new}
          help={texts.password.help}
          error={findFieldMessageOfApiError(save.error, 'password')}
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {isSignInTooOldError(save.error) ? (
          <>
            <Notice kind="error">{texts.profile.signInAgainText(user.email)}</Notice>
            <SignOutAndInAgainButton />
          </>
        ) : (
          <ActionErrorNotice error={save.error} shownFields={['current_password', 'password']} />
        )}
        {save.isSuccess && <Notice kind="success">{texts.profile.passwordSaved}</Notice>}
        <Button type="submit" className="self-start" busy={save.isPending}>
          {texts.password.set}
        </Button>
      </form>
    </Section>
  );
}
