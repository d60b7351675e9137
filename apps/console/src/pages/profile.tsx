import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '../api/client.ts';
import { PROFILE_KEY, sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PasswordField } from '../components/field.tsx';
import { ErrorNotice, fieldError, Notice } from '../components/notice.tsx';
import { Page, Section } from '../components/page.tsx';
import { texts } from '../texts/index.ts';
import { BrowserSessionsSection } from './browser-sessions.tsx';
import { isSignInTooOld, SignInAgain } from './confirm-user.tsx';
import { PasskeysSection } from './passkeys.tsx';
import { SecondFactorSection } from './second-factor.tsx';
import { UserEventsSection } from './user-events.tsx';
import { UserNameSection } from './user-name.tsx';

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Page title={texts.profile.title} intro={session.user.email}>
      <UserNameSection name={session.user.name} />
      <PasswordSection user={session.user} />
      <SecondFactorSection user={session.user} />
      <PasskeysSection />
      <BrowserSessionsSection />
      <UserEventsSection />
    </Page>
  );
}

function PasswordSection({ user }: { user: Session['user'] }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      request<void>('PUT', 'profile/password', {
        password,
        ...(user.has_password && { current_password: current }),
      }),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      await queryClient.invalidateQueries(sessionQuery);
      await queryClient.invalidateQueries({ queryKey: PROFILE_KEY });
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
            error={fieldError(save.error, 'current_password')}
            autoComplete="current-password"
            required
            value={current}
            onChange={(event) => setCurrent(event.target.value)}
          />
        )}
        <PasswordField
          label={texts.password.new}
          help={texts.password.help}
          error={fieldError(save.error, 'password')}
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {isSignInTooOld(save.error) ? (
          <>
            <Notice kind="error">{texts.profile.signInAgainText}</Notice>
            <SignInAgain />
          </>
        ) : (
          <ErrorNotice error={save.error} shownFields={['current_password', 'password']} />
        )}
        {save.isSuccess && <Notice kind="success">{texts.profile.passwordSaved}</Notice>}
        <Button type="submit" className="self-start" busy={save.isPending}>
          {texts.password.set}
        </Button>
      </form>
    </Section>
  );
}
