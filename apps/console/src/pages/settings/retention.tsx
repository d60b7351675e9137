import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type AccountWithSettings, accountSettingsQueryOptions } from '../../api/account.ts';
import { requestJson } from '../../api/client.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';

const LONGEST_DAYS = 36_500;
const CONFIRMATION_FIELD = 'delete_older_transcripts';

export function RetentionSection({
  accountId,
  account,
  mayWrite,
}: {
  accountId: string;
  account: AccountWithSettings;
  mayWrite: boolean;
}) {
  const {
    transcript_retention_days: days,
    chosen_transcript_retention_days: chosen,
    operator_transcript_retention_days: operatorDays,
  } = account;
  return (
    <Section title={texts.settings.retention}>
      <p>{texts.settings.audio}</p>
      <p>
        {days === null
          ? texts.settings.transcriptsForever
          : texts.settings.transcriptsFor(texts.settings.days(days))}
        {(chosen === null || days !== chosen) && ` ${texts.settings.byOperator}`}
      </p>
      {mayWrite && (
        <RetentionForm
          accountId={accountId}
          current={days}
          chosen={chosen}
          longest={operatorDays ?? LONGEST_DAYS}
        />
      )}
    </Section>
  );
}

function RetentionForm({
  accountId,
  current,
  chosen,
  longest,
}: {
  accountId: string;
  /** Days that transcripts are kept now; null for ever. */
  current: number | null;
  chosen: number | null;
  longest: number;
}) {
  const queryClient = useQueryClient();
  const [entered, setEntered] = useState(chosen === null ? '' : String(chosen));
  const [isInvalid, setInvalid] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const days = entered.trim() === '' ? null : Number(entered);
  const save = useMutation({
    mutationFn: ({ chosenDays, deletesOlder }: { chosenDays: number | null; deletesOlder: boolean }) =>
      requestJson<void>('PUT', 'account/retention', {
        transcript_days: chosenDays,
        [CONFIRMATION_FIELD]: deletesOlder,
      }),
    onSuccess: () => queryClient.invalidateQueries(accountSettingsQueryOptions(accountId)),
    onSettled: () => setAsked(false),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isValid = days === null || (Number.isInteger(days) && days >= 1 && days <= longest);
    setInvalid(!isValid);
    if (!isValid || save.isPending) return;
    const isShorter = days !== null && (current === null || days < current);
    if (isShorter) setAsked(true);
    else save.mutate({ chosenDays: days, deletesOlder: false });
  };
  const invalid = isInvalid ? texts.settings.invalidDays(formatNumber(longest)) : undefined;
  const needsConfirmation = findFieldMessageOfApiError(save.error, CONFIRMATION_FIELD) !== undefined;
  return (
    <form className="flex max-w-md flex-col gap-3" onSubmit={submit} noValidate>
      <TextField
        label={texts.settings.transcriptDays}
        help={texts.settings.transcriptDaysHelp(formatNumber(longest))}
        error={invalid ?? findFieldMessageOfApiError(save.error, 'transcript_days')}
        inputMode="numeric"
        autoComplete="off"
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
      />
      <ActionErrorNotice error={save.error} shownFields={['transcript_days', CONFIRMATION_FIELD]} />
      {save.isSuccess && save.variables.chosenDays === days && (
        <Notice kind="success">{texts.settings.retentionSaved}</Notice>
      )}
      <Button type="submit" className="self-start" busy={save.isPending}>
        {texts.settings.saveRetention}
      </Button>
      {isAsked && days !== null && (
        <ConfirmDialog
          title={texts.settings.shorterTitle(texts.settings.days(days))}
          text={texts.settings.transcriptsFor(texts.settings.days(days)) + ` ${texts.settings.shorterText}`}
          action={texts.settings.saveRetention}
          busy={save.isPending}
          error={null}
          onConfirm={() => save.mutate({ chosenDays: days, deletesOlder: false })}
          onClose={() => setAsked(false)}
        />
      )}
      {needsConfirmation && !isAsked && (
        <ConfirmDialog
          title={texts.settings.olderTitle}
          text={texts.settings.olderText(save.error?.message ?? '')}
          action={texts.settings.olderConfirm}
          busy={save.isPending}
          error={null}
          onConfirm={() => save.mutate({ chosenDays: days, deletesOlder: true })}
          onClose={() => save.reset()}
        />
      )}
    </form>
  );
}
