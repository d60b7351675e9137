import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type AccountWithSettings, accountSettingsQueryOptions } from '../../api/account.ts';
import { requestJson } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';

/** Whether members of the account need two factors, and the change of that. */
export function TwoFactorRequirementSection({
  accountId,
  account,
  mayWrite,
}: {
  accountId: string;
  account: AccountWithSettings;
  mayWrite: boolean;
}) {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const isRequired = account.requires_two_factors;
  const isServiceWide = account.service_requires_two_factors;
  const save = useMutation({
    mutationFn: () => requestJson<void>('PUT', 'account/two-factors', { required: !isRequired }),
    onSuccess: () => {
      // Before the account is read again, which turns the question of the dialog round.
      setOpen(false);
      return Promise.all([
        queryClient.invalidateQueries(accountSettingsQueryOptions(accountId)),
        queryClient.invalidateQueries(sessionQueryOptions),
      ]);
    },
  });
  const lacksFactor = !isRequired && !session.two_factors;
  return (
    <Section title={texts.twoFactors.settingsTitle}>
      <p>{describeRequirement(account)}</p>
      {mayWrite && lacksFactor && (
        <>
          <p className="text-muted">{texts.twoFactors.notYourself}</p>
          <Link to="/profile" className="text-accent self-start underline">
            {texts.twoFactors.toProfile}
          </Link>
        </>
      )}
      {mayWrite && !lacksFactor && !isServiceWide && (
        <Button className="self-start" onClick={() => setOpen(true)}>
          {isRequired ? texts.twoFactors.turnOff : texts.twoFactors.turnOn}
        </Button>
      )}
      {isOpen && (
        <ConfirmDialog
          title={isRequired ? texts.twoFactors.turnOffTitle : texts.twoFactors.turnOnTitle}
          text={isRequired ? texts.twoFactors.turnOffText : texts.twoFactors.turnOnText}
          action={isRequired ? texts.twoFactors.turnOff : texts.twoFactors.turnOn}
          look={isRequired ? 'danger' : 'primary'}
          busy={save.isPending}
          error={save.error}
          onConfirm={() => save.mutate()}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

function describeRequirement({
  requires_two_factors: isRequired,
  service_requires_two_factors: isServiceWide,
}: AccountWithSettings): string {
  if (isServiceWide) return texts.twoFactors.serviceWide;
  return isRequired ? texts.twoFactors.on : texts.twoFactors.off;
}
