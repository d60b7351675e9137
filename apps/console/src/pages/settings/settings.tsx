import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { accountSettingsQueryOptions } from '../../api/account.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { TextField } from '../../components/field.tsx';
import {
  ActionErrorNotice,
  findFieldMessageOfApiError,
  LoadErrorNotice,
  Notice,
} from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/index.ts';
import { EndAccountSection } from './end-account.tsx';
import { TwoFactorRequirementSection } from './two-factor-requirement.tsx';
import { RetentionSection } from './retention.tsx';
import { VocabulariesSection } from '../vocabularies/vocabularies-section.tsx';

export function SettingsPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  if (!session.account) return null;
  const { id, permissions } = session.account;
  return (
    <Page title={texts.settings.title}>
      <AccountSettings accountId={id} permissions={permissions} />
    </Page>
  );
}

function AccountSettings({ accountId, permissions }: { accountId: string; permissions: string[] }) {
  const mayWrite = permissions.includes('account.write');
  const account = useQuery(accountSettingsQueryOptions(accountId));
  if (account.isError && !account.data)
    return <LoadErrorNotice error={account.error} onRetry={() => void account.refetch()} />;
  if (!account.data) return <Skeleton rows={8} />;
  const { id, name, created_at: createdAt } = account.data;
  return (
    <>
      <Section title={texts.settings.account}>
        {mayWrite ? (
          <NameForm accountId={accountId} name={name} />
        ) : (
          <div>
            <p className="font-medium">{texts.settings.name}</p>
            <p className="wrap-anywhere">{name}</p>
          </div>
        )}
        <div className="max-w-md">
          <CopyField label={texts.settings.id} value={id} />
        </div>
        <p className="text-muted">
          {texts.settings.created}: <Time value={createdAt} />
        </p>
      </Section>
      <RetentionSection
        accountId={accountId}
        account={account.data}
        mayWrite={permissions.includes('retention.write')}
      />
      <TwoFactorRequirementSection
        accountId={accountId}
        account={account.data}
        mayWrite={permissions.includes('two_factors.write')}
      />
      <VocabulariesSection accountId={accountId} mayWrite={permissions.includes('vocabularies.write')} />
      <Section title={texts.settings.webhooks}>
        <p>{texts.settings.webhooksText}</p>
        <Link to="/webhooks" className="text-accent self-start underline">
          {texts.settings.webhooksLink}
        </Link>
      </Section>
      {mayWrite && <EndAccountSection name={name} />}
    </>
  );
}

function NameForm({ accountId, name }: { accountId: string; name: string }) {
  const queryClient = useQueryClient();
  const [entered, setEntered] = useState(name);
  const save = useMutation({
    mutationFn: (newName: string) => requestJson<void>('PUT', 'account', { name: newName }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries(accountSettingsQueryOptions(accountId)),
        queryClient.invalidateQueries(sessionQueryOptions),
      ]),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(entered.trim());
  };
  return (
    <form className="flex max-w-md flex-col gap-3" onSubmit={submit}>
      <TextField
        label={texts.settings.name}
        help={texts.settings.nameHelp}
        error={findFieldMessageOfApiError(save.error, 'name')}
        required
        maxCharacters={80}
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
      />
      <ActionErrorNotice error={save.error} shownFields={['name']} />
      {save.isSuccess && save.variables === entered.trim() && (
        <Notice kind="success">{texts.settings.saved}</Notice>
      )}
      <Button type="submit" className="self-start" busy={save.isPending}>
        {texts.save}
      </Button>
    </form>
  );
}
