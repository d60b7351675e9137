import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AccountBillingOverview, refreshBillingAndBalance } from '../../api/billing.ts';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';

export function BalanceAlertSection({
  accountId,
  billing,
}: {
  accountId: string;
  billing: AccountBillingOverview;
}) {
  const queryClient = useQueryClient();
  const [below, setBelow] = useState(billing.alert_below === null ? '' : String(billing.alert_below));
  const threshold = below.trim() === '' ? null : Number(below);
  const [isChecked, setChecked] = useState(false);
  const error = /^(?:[1-9]\d{0,11})?$/.test(below.trim()) ? undefined : texts.billing.invalidNumber;
  const save = useMutation({
    mutationFn: (value: typeof threshold) => requestJson<void>('PUT', 'billing/alert', { below: value }),
    onSuccess: () => refreshBillingAndBalance(queryClient, accountId),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!save.isPending && error === undefined) save.mutate(threshold);
  };
  return (
    <Section title={texts.billing.alert}>
      <p className="text-muted">
        {texts.billing.alertText} {billing.sends_mail ? texts.billing.alertMail : texts.billing.alertNoMail}
      </p>
      <form className="flex flex-col gap-3" onSubmit={submit} noValidate>
        <TextField
          label={texts.billing.alertBelow}
          help={texts.billing.alertHelp}
          error={(isChecked ? error : undefined) ?? findFieldMessageOfApiError(save.error, 'below')}
          inputMode="numeric"
          value={below}
          onChange={(event) => setBelow(event.target.value)}
        />
        <ActionErrorNotice error={save.error} shownFields={['below']} />
        {save.isSuccess && save.variables === threshold && (
          <Notice kind="success">{texts.billing.saved}</Notice>
        )}
        <Button look="primary" type="submit" className="self-start" busy={save.isPending}>
          {texts.save}
        </Button>
      </form>
    </Section>
  );
}
