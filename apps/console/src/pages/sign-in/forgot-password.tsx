import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { StandalonePage } from '../../components/page.tsx';
import { SignInEmailField } from '../../components/user-email-field.tsx';
import { texts } from '../../texts/index.ts';

/** The response is the same whether the address has a user or not. */
export function ForgotPasswordPage() {
  const [email, setEmail] = useState('');
  const send = useMutation({
    mutationFn: (address: string) => requestJson<void>('POST', 'sign-in/forgot-password', { email: address }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!send.isPending) send.mutate(email.trim());
  };
  const back = (
    <Link to="/sign-in" className="text-accent underline">
      {texts.forgotPassword.back}
    </Link>
  );
  if (send.isSuccess)
    return (
      <StandalonePage key="sent" title={texts.forgotPassword.sentTitle}>
        <Notice kind="success">{texts.forgotPassword.sent(send.variables)}</Notice>
        <p className="text-muted">{texts.forgotPassword.none}</p>
        {back}
      </StandalonePage>
    );
  return (
    <StandalonePage key="form" title={texts.forgotPassword.title} intro={texts.forgotPassword.text}>
      <ActionErrorNotice error={send.error} shownFields={['email']} />
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <SignInEmailField
          value={email}
          error={findFieldMessageOfApiError(send.error, 'email')}
          onChange={setEmail}
        />
        <Button look="primary" type="submit" busy={send.isPending}>
          {texts.forgotPassword.submit}
        </Button>
      </form>
      {back}
    </StandalonePage>
  );
}
