import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ApiError, requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { PasswordField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { StandalonePage } from '../../components/page.tsx';
import { forgetLinkToken, getLinkToken } from '../../lib/link-token.ts';
import { texts } from '../../texts/index.ts';

export function SetPasswordPage() {
  const [token] = useState(getLinkToken);
  const [password, setPassword] = useState('');
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const save = useMutation({
    mutationFn: () => requestJson<void>('POST', 'sign-in/set-password', { token, password }),
    onSuccess: async () => {
      forgetLinkToken();
      queryClient.clear();
      await navigate({ to: '/sign-in', search: { reason: 'password_set' }, replace: true });
    },
  });
  if (token === null) return <IncompleteLinkPage />;
  const isUsed = save.error instanceof ApiError && save.error.status === 401;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  return (
    <StandalonePage title={texts.password.setTitle} intro={texts.password.setText}>
      {isUsed ? (
        <Notice kind="error">{texts.signIn.linkFailed}</Notice>
      ) : (
        <ActionErrorNotice error={save.error} shownFields={['password']} />
      )}
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <PasswordField
          label={texts.password.new}
          help={texts.password.help}
          error={findFieldMessageOfApiError(save.error, 'password')}
          autoComplete="new-password"
          required
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button look="primary" type="submit" busy={save.isPending}>
          {texts.password.set}
        </Button>
      </form>
    </StandalonePage>
  );
}

export function IncompleteLinkPage() {
  return (
    <StandalonePage title={texts.linkMissing.title} intro={texts.linkMissing.text}>
      <Link to="/sign-in" className="text-accent underline">
        {texts.linkMissing.toSignIn}
      </Link>
    </StandalonePage>
  );
}
