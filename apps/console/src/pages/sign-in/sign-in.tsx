import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useRouter, useSearch } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, requestJson } from '../../api/client.ts';
import { offeredSignInMethodsQueryOptions } from '../../api/queries.ts';
import { forgetShownAccount } from '../../api/shown-account.ts';
import type { SignInResponseBody, OfferedSignInMethods } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField, TextField } from '../../components/field.tsx';
import { toErrorTitleAndText, ActionErrorNotice, Notice } from '../../components/notice.tsx';
import { StandalonePage } from '../../components/page.tsx';
import { SignInEmailField } from '../../components/user-email-field.tsx';
import { takeSavedPathAndRestoreLinkToken } from '../../lib/after-sign-in.ts';
import { forgetLinkToken, getLinkToken } from '../../lib/link-token.ts';
import { arePasskeysSupported, requestPasskeySignature, PasskeyCancelledError } from '../../lib/passkeys.ts';
import { parseSafeReturnPath } from '../../lib/return-path.ts';
import { texts } from '../../texts/index.ts';
import { ProviderSignInButton } from './provider-sign-in-button.tsx';

type Step = { name: 'link'; token: string } | { name: 'password' } | { name: 'code'; challenge: string };

export function SignInPage() {
  const [step, setStep] = useState<Step>(() => {
    const token = getLinkToken();
    return token === null ? { name: 'password' } : { name: 'link', token };
  });
  const search = useSearch({ from: '/sign-in' });
  const router = useRouter();
  const queryClient = useQueryClient();
  const finish = async (answer: SignInResponseBody) => {
    forgetLinkToken();
    if (answer.challenge !== undefined) return setStep({ name: 'code', challenge: answer.challenge });
    queryClient.clear();
    forgetShownAccount();
    // The entry of the sign-in is replaced, so that “back” does not lead to it.
    const path = takeSavedPathAndRestoreLinkToken() ?? parseSafeReturnPath(search.return) ?? '/';
    await router.navigate({ href: path, replace: true });
  };
  const restart = () => {
    forgetLinkToken();
    setStep({ name: 'password' });
  };
  if (step.name === 'link') return <LinkStep token={step.token} onDone={finish} onRestart={restart} />;
  if (step.name === 'code')
    return <CodeStep challenge={step.challenge} onDone={finish} onRestart={restart} />;
  return <PasswordStep search={search} onDone={finish} />;
}

interface StepProps {
  onDone: (answer: SignInResponseBody) => Promise<void>;
}

interface Search {
  return?: string | undefined;
  reason?: 'ended' | 'password_set' | undefined;
  error?: keyof typeof texts.signIn.failures | undefined;
}

function PasswordStep({ search: { reason, error, return: path }, onDone }: StepProps & { search: Search }) {
  const { data: methods } = useQuery(offeredSignInMethodsQueryOptions);
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = useMutation({
    mutationFn: () => requestJson<SignInResponseBody>('POST', 'sign-in', { email: email.trim(), password }),
    onSuccess: onDone,
    onError: (failure) => {
      if (isWrong(failure)) setPassword('');
    },
  });
  return (
    <StandalonePage title={texts.signIn.title}>
      {reason === 'ended' && !signIn.isError && <Notice>{texts.signIn.ended}</Notice>}
      {reason === 'password_set' && !signIn.isError && (
        <Notice kind="success">{texts.signIn.passwordWasSet}</Notice>
      )}
      {error !== undefined && !signIn.isError && <Notice kind="error">{texts.signIn.failures[error]}</Notice>}
      <SignInError error={signIn.error} />
      <form className="flex flex-col gap-4" onSubmit={submitOnce(signIn)}>
        <SignInEmailField value={email} onChange={setEmail} />
        <PasswordField
          label={texts.signIn.password}
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={signIn.isPending}>
          {texts.signIn.submit}
        </Button>
      </form>
      {methods?.forgot_password === true ? (
        <Link to="/forgot-password" className="text-accent self-start underline">
          {texts.signIn.forgotLink}
        </Link>
      ) : (
        <p className="text-muted text-xs">{texts.signIn.forgotten}</p>
      )}
      {methods && <OtherMethods methods={methods} path={path ?? null} onDone={onDone} />}
    </StandalonePage>
  );
}

function OtherMethods({
  methods,
  path,
  onDone,
}: StepProps & { methods: OfferedSignInMethods; path: string | null }) {
  const hasPasskeys = methods.passkey && arePasskeysSupported();
  if (!hasPasskeys && !methods.oidc) return null;
  return (
    <div className="border-line flex flex-col gap-3 border-t pt-4">
      {hasPasskeys && <PasskeySignInButton onDone={onDone} />}
      {methods.oidc && <ProviderSignInButton label={texts.signIn.withProvider} path={path} />}
    </div>
  );
}

export function PasskeySignInButton({ onDone, isPrimary = false }: StepProps & { isPrimary?: boolean }) {
  const signIn = useMutation({
    mutationFn: async () => {
      const options = await requestJson<PublicKeyCredentialRequestOptionsJSON>(
        'POST',
        'sign-in/passkey/options',
      );
      return requestJson<SignInResponseBody>('POST', 'sign-in/passkey', {
        credential: await requestPasskeySignature(options),
      });
    },
    onSuccess: onDone,
  });
  return (
    <>
      {signIn.error instanceof PasskeyCancelledError ? (
        <Notice kind="error">{texts.signIn.passkeyCancelled}</Notice>
      ) : (
        <SignInError error={signIn.error} />
      )}
      <Button
        look={isPrimary ? 'primary' : 'secondary'}
        className={isPrimary ? 'self-start' : ''}
        busy={signIn.isPending}
        onClick={() => signIn.mutate()}
      >
        {texts.signIn.withPasskey}
      </Button>
    </>
  );
}

/** A button, because programs that open links of mails must not use them up. */
function LinkStep({ token, onDone, onRestart }: StepProps & { token: string; onRestart: () => void }) {
  const signIn = useMutation({
    mutationFn: () => requestJson<SignInResponseBody>('POST', 'sign-in/link', { token }),
    onSuccess: onDone,
  });
  const isUsed = signIn.error instanceof ApiError && [401, 422].includes(signIn.error.status);
  return (
    <StandalonePage title={texts.signIn.linkTitle} intro={texts.signIn.linkText}>
      {isUsed ? (
        <Notice kind="error">{texts.signIn.linkFailed}</Notice>
      ) : (
        <ActionErrorNotice error={signIn.error} />
      )}
      {!isUsed && (
        <Button look="primary" busy={signIn.isPending} onClick={() => signIn.mutate()}>
          {texts.signIn.submit}
        </Button>
      )}
      <Button look={isUsed ? 'primary' : 'plain'} onClick={onRestart}>
        {texts.signIn.withPassword}
      </Button>
    </StandalonePage>
  );
}

function CodeStep({
  challenge,
  onDone,
  onRestart,
}: StepProps & { challenge: string; onRestart: () => void }) {
  const [code, setCode] = useState('');
  const signIn = useMutation({
    mutationFn: () =>
      requestJson<SignInResponseBody>('POST', 'sign-in/second-factor', { challenge, code: code.trim() }),
    onSuccess: onDone,
    onError: (failure) => {
      if (isWrong(failure)) setCode('');
    },
  });
  return (
    <StandalonePage title={texts.signIn.codeTitle} intro={texts.signIn.codeText}>
      <SignInError error={signIn.error} />
      <form className="flex flex-col gap-4" onSubmit={submitOnce(signIn)}>
        <TextField
          label={texts.signIn.code}
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          required
          autoFocus
          maxLength={64}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button look="primary" type="submit" busy={signIn.isPending}>
          {texts.continue}
        </Button>
        <Button look="plain" onClick={onRestart}>
          {texts.signIn.back}
        </Button>
      </form>
    </StandalonePage>
  );
}

/** A wrong password needs no title above the response's text. */
function SignInError({ error }: { error: unknown }) {
  if (!(error instanceof ApiError) || error.status !== 401) return <ActionErrorNotice error={error} />;
  return <Notice kind="error">{toErrorTitleAndText(error).text}</Notice>;
}

function submitOnce(mutation: { isPending: boolean; mutate: () => void }) {
  return (event: FormEvent) => {
    event.preventDefault();
    if (!mutation.isPending) mutation.mutate();
  };
}

/** The service has looked at what was entered. Otherwise it can be sent again as it is. */
function isWrong(error: unknown): boolean {
  return error instanceof ApiError && error.status < 429;
}
