import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { request } from '../api/client.ts';
import { browserSessionsQuery, sessionQuery } from '../api/queries.ts';
import type { BrowserSession } from '../api/types.ts';
import { Button } from '../components/button.tsx';
import { PasswordField } from '../components/field.tsx';
import { ErrorNotice, fieldError, LoadError, Notice } from '../components/notice.tsx';
import { Page, Section } from '../components/page.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { type Column, Table } from '../components/table.tsx';
import { Time } from '../components/time.tsx';
import { describeUserAgent } from '../lib/format.ts';
import { texts } from '../texts.ts';
import { SecondFactorSection } from './second-factor.tsx';

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <Page title={texts.profile.title} intro={session.user.email}>
      <PasswordSection email={session.user.email} />
      <SecondFactorSection user={session.user} />
      <SessionsSection />
    </Page>
  );
}

function PasswordSection({ email }: { email: string }) {
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () =>
      request<void>('PUT', 'profile/password', {
        password,
        ...(current !== '' && { current_password: current }),
      }),
    onSuccess: async () => {
      setCurrent('');
      setPassword('');
      await queryClient.invalidateQueries(browserSessionsQuery);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <Section title={texts.profile.passwordTitle}>
      <p className="text-muted">{texts.profile.passwordText}</p>
      <form className="flex max-w-md flex-col gap-3" onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <PasswordField
          label={texts.password.current}
          error={fieldError(save.error, 'current_password')}
          autoComplete="current-password"
          value={current}
          onChange={(event) => setCurrent(event.target.value)}
        />
        <PasswordField
          label={texts.password.new}
          help={texts.password.help}
          error={fieldError(save.error, 'password')}
          autoComplete="new-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <ErrorNotice error={save.error} shownFields={['current_password', 'password']} />
        {save.isSuccess && <Notice kind="success">{texts.profile.passwordSaved}</Notice>}
        <Button type="submit" className="self-start" busy={save.isPending}>
          {texts.password.set}
        </Button>
      </form>
    </Section>
  );
}

const nameOf = ({ user_agent }: BrowserSession) =>
  describeUserAgent(user_agent) ?? texts.profile.unknownBrowser;

function SessionsSection() {
  const sessions = useQuery(browserSessionsQuery);
  const columns: Column<BrowserSession>[] = [
    {
      key: 'browser',
      title: texts.profile.browser,
      render: (session) => (
        <span title={session.user_agent ?? undefined}>
          {nameOf(session)}
          {session.current && (
            <span className="text-success ml-2 text-xs font-medium">{texts.profile.thisBrowser}</span>
          )}
        </span>
      ),
    },
    { key: 'address', title: texts.profile.address, render: ({ address }) => address },
    {
      key: 'seen',
      title: texts.profile.lastSeen,
      render: ({ last_seen_at }) => <Time value={last_seen_at} relative />,
    },
    {
      key: 'actions',
      title: texts.members.actions,
      titleHidden: true,
      render: (session) => !session.current && <EndButton session={session} />,
    },
  ];
  return (
    <Section title={texts.profile.sessionsTitle}>
      {sessions.isError && !sessions.data ? (
        <LoadError error={sessions.error} onRetry={() => void sessions.refetch()} />
      ) : !sessions.data ? (
        <Skeleton rows={2} />
      ) : (
        <Table
          label={texts.profile.sessionsTitle}
          columns={columns}
          rows={sessions.data}
          keyOf={({ id }) => id}
        />
      )}
    </Section>
  );
}

function EndButton({ session }: { session: BrowserSession }) {
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: () => request<void>('DELETE', `profile/sessions/${session.id}`),
    onSettled: () => queryClient.invalidateQueries(browserSessionsQuery),
  });
  return (
    <>
      <Button
        aria-label={texts.profile.endLabel(nameOf(session))}
        busy={end.isPending}
        onClick={() => end.mutate()}
      >
        {texts.profile.end}
      </Button>
      <ErrorNotice error={end.error} />
    </>
  );
}
