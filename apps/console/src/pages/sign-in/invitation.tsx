import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, isTransientError, requestJson } from '../../api/client.ts';
import { offeredSignInMethodsQueryOptions } from '../../api/queries.ts';
import { forgetShownAccount } from '../../api/shown-account.ts';
import type { ConsoleApiSchema, Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import {
  ActionErrorNotice,
  findFieldMessageOfApiError,
  LoadErrorNotice,
  Notice,
} from '../../components/notice.tsx';
import { StandalonePage } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { savePathAndLinkTokenForSignIn, wasSavedPathReopened } from '../../lib/after-sign-in.ts';
import { forgetLinkToken, getLinkToken } from '../../lib/link-token.ts';
import { texts } from '../../texts/index.ts';
import { ProviderSignInButton } from './provider-sign-in-button.tsx';
import { IncompleteLinkPage } from './set-password.tsx';
import { useSignOutWithConfirmation } from '../use-sign-out-with-confirmation.tsx';

export function InvitationPage() {
  const [token] = useState(getLinkToken);
  return token === null ? <IncompleteLinkPage /> : <OpenInvitation token={token} />;
}

function OpenInvitation({ token }: { token: string }) {
  const preview = useQuery({
    queryKey: ['invitation', 'preview', token],
    queryFn: () =>
      requestJson<ConsoleApiSchema<'InvitationPreviewResponse'>>('POST', 'invitation/preview', { token }),
  });
  const user = useQuery({ queryKey: ['invitation', 'user'], queryFn: findSignedInUser });
  // A sign-in through the provider has accepted the invitation of a new user.
  if (preview.isError && wasSavedPathReopened() && user.data) return <Navigate to="/" replace />;
  if (preview.isError)
    return (
      <StandalonePage title={texts.invitation.title}>
        {isTransientError(preview.error) ||
        (preview.error instanceof ApiError && preview.error.status >= 429) ? (
          <LoadErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />
        ) : (
          <>
            <Notice kind="error">{texts.invitation.fails}</Notice>
            {user.data !== undefined && <WhatNext user={user.data} />}
          </>
        )}
      </StandalonePage>
    );
  if (user.isError)
    return (
      <StandalonePage title={texts.invitation.title}>
        <LoadErrorNotice error={user.error} onRetry={() => void user.refetch()} />
      </StandalonePage>
    );
  if (!preview.data || user.data === undefined)
    return (
      <StandalonePage title={texts.invitation.title}>
        <Skeleton />
      </StandalonePage>
    );
  return <AcceptForm token={token} invitation={preview.data} user={user.data} />;
}

/** After an invitation that does not work: often it was used by the person who opens it again. */
function WhatNext({ user }: { user: Session['user'] | null }) {
  const t = texts.invitation;
  return (
    <>
      <p className="wrap-anywhere">{user === null ? t.notSignedIn : t.signedInAs(user.email)}</p>
      <Link to={user === null ? '/sign-in' : '/'} className="text-accent underline" onClick={forgetLinkToken}>
        {user === null ? texts.linkMissing.toSignIn : t.toConsole}
      </Link>
    </>
  );
}

/** Null for who is not signed in, which is usual here. */
async function findSignedInUser(): Promise<Session['user'] | null> {
  try {
    return (await requestJson<Session>('GET', 'session')).user;
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  }
}

interface AcceptFormProps {
  token: string;
  invitation: ConsoleApiSchema<'InvitationPreviewResponse'>;
  user: Session['user'] | null;
}

function AcceptForm({ token, invitation, user }: AcceptFormProps) {
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const accept = useMutation({
    mutationFn: () =>
      requestJson<unknown>('POST', 'invitation/accept', {
        token,
        ...(user === null && { name: name.trim(), password }),
      }),
    onSuccess: async () => {
      forgetLinkToken();
      queryClient.clear();
      forgetShownAccount();
      await navigate({ to: '/', replace: true });
    },
  });
  const isOther = user !== null && user.email.toLowerCase() !== invitation.email.toLowerCase();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!accept.isPending) accept.mutate();
  };
  return (
    <StandalonePage
      title={texts.invitation.title}
      intro={texts.invitation.text(invitation.account, texts.roles[invitation.role])}
    >
      <p className="break-words">
        <span className="text-muted">{texts.invitation.forEmail}</span> {invitation.email}
      </p>
      {isOther && <Notice>{texts.invitation.otherUser(user.email)}</Notice>}
      <ActionErrorNotice error={accept.error} shownFields={['name', 'password']} />
      <form className="flex flex-col gap-4" onSubmit={submit}>
        {user === null && (
          <>
            <TextField
              label={texts.invitation.name}
              error={findFieldMessageOfApiError(accept.error, 'name')}
              autoComplete="name"
              required
              maxCharacters={200}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <input type="hidden" autoComplete="username" value={invitation.email} readOnly />
            <PasswordField
              label={texts.password.new}
              help={texts.password.help}
              error={findFieldMessageOfApiError(accept.error, 'password')}
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </>
        )}
        {isOther ? (
          <SignOutHere userId={user.id} />
        ) : (
          <Button look="primary" type="submit" busy={accept.isPending}>
            {user === null ? texts.invitation.acceptNew : texts.invitation.accept}
          </Button>
        )}
      </form>
      {user === null && <OtherWays token={token} />}
    </StandalonePage>
  );
}

/** For people who have a user, or get one by signing in through the provider. */
function OtherWays({ token }: { token: string }) {
  const { data: methods } = useQuery(offeredSignInMethodsQueryOptions);
  const navigate = useNavigate();
  const signIn = async () => {
    savePathAndLinkTokenForSignIn('/invitation', token);
    forgetLinkToken();
    await navigate({ to: '/sign-in' });
  };
  return (
    <div className="border-line flex flex-col gap-3 border-t pt-4">
      {methods?.oidc === true && (
        <ProviderSignInButton label={texts.invitation.withProvider} path="/invitation" linkToken={token} />
      )}
      <Button look="plain" onClick={() => void signIn()}>
        {texts.invitation.haveUser}
      </Button>
    </div>
  );
}

/** Stays on the page, which has the token. */
function SignOutHere({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const { signOut, isPending, message } = useSignOutWithConfirmation(userId, () =>
    queryClient.resetQueries(),
  );
  return (
    <>
      {message}
      <Button busy={isPending} onClick={() => void signOut()}>
        {texts.navigation.signOut}
      </Button>
    </>
  );
}
