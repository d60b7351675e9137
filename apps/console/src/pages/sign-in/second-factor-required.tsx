import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { sessionQueryOptions, offeredSignInMethodsQueryOptions } from '../../api/queries.ts';
import type { Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { arePasskeysSupported } from '../../lib/passkeys.ts';
import { texts } from '../../texts/index.ts';
import { LeaveAccountDialog } from '../members/leave-account-dialog.tsx';
import { PasskeysSection } from '../profile/passkeys.tsx';
import { AuthenticatorAppSection } from '../profile/authenticator-app.tsx';
import { PasskeySignInButton } from './sign-in.tsx';

/**
 * In place of every page where the service or the account requires two factors. The URL stays, so that the page that was asked for
 * appears afterwards.
 */
export function SecondFactorRequiredPage({
  session,
  onSettingUp,
}: {
  session: Session;
  /** Whether an app is being set up. */
  onSettingUp: (isSettingUp: boolean) => void;
}) {
  const { account, user } = session;
  // The recovery codes of a new app are shown when the session has two factors already.
  const [hadApp] = useState(user.second_factor);
  const [hadPasskey] = useState(user.passkeys > 0);
  useEffect(() => () => onSettingUp(false), [onSettingUp]);
  return (
    <Page
      title={texts.twoFactors.title}
      intro={texts.twoFactors.intro(
        account?.two_factors_required_by === 'service' ? null : (account?.name ?? ''),
      )}
    >
      {hadApp && <CodeSection />}
      {hadPasskey && <PasskeySignInSection />}
      {!hadApp && !hadPasskey && (
        <>
          <p>
            {texts.twoFactors.setUpText}
            {!user.has_password && ` ${texts.twoFactors.setUpInTimeText}`}
          </p>
          <AuthenticatorAppSection user={user} onSettingUp={onSettingUp} />
          <PasskeysSection />
        </>
      )}
      {account && <LeaveSection account={account} />}
    </Page>
  );
}

function LeaveSection({ account }: { account: { name: string } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section title={texts.members.leave}>
      <p className="text-muted">{texts.twoFactors.leaveText}</p>
      <Button look="danger" className="self-start" onClick={() => setOpen(true)}>
        {texts.members.leave}
      </Button>
      {isOpen && <LeaveAccountDialog account={account} onClose={() => setOpen(false)} />}
    </Section>
  );
}

function CodeSection() {
  const [code, setCode] = useState('');
  const queryClient = useQueryClient();
  const confirm = useMutation({
    mutationFn: () => requestJson<void>('POST', 'session/second-factor', { code: code.trim() }),
    onSuccess: () => queryClient.invalidateQueries(sessionQueryOptions),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!confirm.isPending) confirm.mutate();
  };
  return (
    <Section title={texts.profile.appTitle}>
      <p className="text-muted">{texts.twoFactors.codeText}</p>
      <form className="flex max-w-md flex-col gap-3" onSubmit={submit}>
        <TextField
          label={texts.twoFactors.code}
          error={findFieldMessageOfApiError(confirm.error, 'code')}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          required
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <ActionErrorNotice error={confirm.error} shownFields={['code']} />
        <Button look="primary" type="submit" className="self-start" busy={confirm.isPending}>
          {texts.continue}
        </Button>
      </form>
    </Section>
  );
}

function PasskeySignInSection() {
  const { data: methods } = useQuery(offeredSignInMethodsQueryOptions);
  if (!methods) return null;
  const isUsable = methods.passkey && arePasskeysSupported();
  return (
    <Section title={texts.profile.passkeysTitle}>
      <p className="text-muted">
        {isUsable ? texts.twoFactors.passkeyText : texts.twoFactors.passkeyElsewhere}
      </p>
      {/* Loaded again, because the passkey may be of another user. */}
      {isUsable && <PasskeySignInButton isPrimary onDone={async () => globalThis.location.reload()} />}
    </Section>
  );
}
