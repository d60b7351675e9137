import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Account, accountQuery } from '../api/account.ts';
import { request } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import { Button } from '../components/button.tsx';
import { ConfirmDialog } from '../components/dialog.tsx';
import { Section } from '../components/page.tsx';
import { texts } from '../texts/index.ts';

/** Whether members of the account need two factors, and the change of that. */
export function RequiredFactorsSection({
  accountId,
  account,
  mayWrite,
}: {
  accountId: string;
  account: Account;
  mayWrite: boolean;
}) {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const isRequired = account.requires_two_factors;
  const save = useMutation({
    mutationFn: () => request<void>('PUT', 'account/two-factors', { required: !isRequired }),
    onSuccess: () => {
      // Before the account is read again, which turns the question of the dialog round.
      setOpen(false);
      return Promise.all([
        queryClient.invalidateQueries(accountQuery(accountId)),
        queryClient.invalidateQueries(sessionQuery),
      ]);
    },
  });
  const lacksFactor = !isRequired && !session.two_factors;
  return (
    <Section title={texts.twoFactors.settingsTitle}>
      <p>{isRequired ? texts.twoFactors.on : texts.twoFactors.off}</p>
      {mayWrite && lacksFactor && (
        <>
          <p className="text-muted">{texts.twoFactors.notYourself}</p>
          <Link to="/profile" className="text-accent self-start underline">
            {texts.twoFactors.toProfile}
          </Link>
        </>
      )}
      {mayWrite && !lacksFactor && (
        <Button className="self-start" onClick={() => setOpen(true)}>
          {isRequired ? texts.twoFactors.turnOff : texts.twoFactors.turnOn}
        </Button>
      )}
      {isOpen && (
        <ConfirmDialog
          title={isRequired ? texts.twoFactors.turnOffTitle : texts.twoFactors.turnOnTitle}
          text={isRequired ? texts.twoFactors.turnOffText : texts.twoFactors.turnOnText}
          action={isRequired ? texts.twoFactors.turnOff : texts.twoFactors.turnOn}
          busy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate()}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}
