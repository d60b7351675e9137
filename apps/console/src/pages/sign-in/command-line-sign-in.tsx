import { useMutation, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import {
  CREATE_KEY_BODY_FIELD_NAMES,
  CreateKeyFields,
  type KeyFieldValues,
  MAX_KEY_NAME_LENGTH,
  toCreateKeyBody,
} from '../keys/create-key-fields.tsx';

const words = texts.commandLine;

type PendingCommandLineSignIn = ConsoleApiSchema<'PendingCommandLineSignInResponse'>;

/** The code is typed, never read from the address: a link that somebody sent would otherwise approve their machine. */
export function CommandLineSignInPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const [code, setCode] = useState('');
  const [ending, setEnding] = useState<'approved' | 'refused' | null>(null);
  const preview = useMutation({
    mutationFn: () =>
      requestJson<PendingCommandLineSignIn>('POST', 'command-line/preview', { user_code: code }),
  });
  const mayCreate = session.account?.permissions.includes('keys.create') === true;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!preview.isPending) preview.mutate();
  };
  return (
    <Page title={words.title} intro={words.intro}>
      {!mayCreate ? (
        <Notice>{words.forbidden}</Notice>
      ) : ending !== null ? (
        <>
          <Notice kind={ending === 'approved' ? 'success' : 'info'}>{words[ending]}</Notice>
          <Link to="/keys" className="text-accent self-start underline">
            {words.toKeys}
          </Link>
        </>
      ) : preview.data ? (
        <Approval
          code={code}
          account={session.account?.name ?? ''}
          waiting={preview.data}
          onEnd={setEnding}
        />
      ) : (
        <form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
          <TextField
            label={words.code}
            help={words.codeHelp}
            error={findFieldMessageOfApiError(preview.error, 'user_code')}
            required
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
          <ActionErrorNotice error={preview.error} shownFields={['user_code']} />
          <Button look="primary" type="submit" className="self-start" busy={preview.isPending}>
            {words.next}
          </Button>
        </form>
      )}
    </Page>
  );
}

interface ApprovalProps {
  code: string;
  account: string;
  waiting: PendingCommandLineSignIn;
  onEnd: (ending: 'approved' | 'refused') => void;
}

function Approval({ code, account, waiting, onEnd }: ApprovalProps) {
  const [values, setValues] = useState<KeyFieldValues>({
    name: words.keyName(waiting.machine).slice(0, MAX_KEY_NAME_LENGTH),
    days: 0,
  });
  const approve = useMutation({
    mutationFn: () =>
      requestJson<void>('POST', 'command-line/approve', { user_code: code, ...toCreateKeyBody(values) }),
    onSuccess: () => onEnd('approved'),
  });
  const refuse = useMutation({
    mutationFn: () => requestJson<void>('POST', 'command-line/refuse', { user_code: code }),
    onSuccess: () => onEnd('refused'),
  });
  const isBusy = approve.isPending || refuse.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) approve.mutate();
  };
  return (
    <Section title={words.question(account)}>
      <dl className="flex flex-col gap-2">
        <div>
          <dt className="text-muted">{words.machine}</dt>
          <dd className="wrap-anywhere">{waiting.machine}</dd>
        </div>
        <div>
          <dt className="text-muted">{words.address}</dt>
          <dd className="wrap-anywhere">{waiting.address ?? words.unknownAddress}</dd>
        </div>
      </dl>
      <p>{words.grant}</p>
      <form className="flex max-w-md flex-col gap-4" onSubmit={submit}>
        <CreateKeyFields values={values} error={approve.error} onChange={setValues} />
        <ActionErrorNotice error={approve.error ?? refuse.error} shownFields={CREATE_KEY_BODY_FIELD_NAMES} />
        <div className="flex flex-wrap gap-2">
          <Button look="primary" type="submit" busy={isBusy}>
            {words.approve}
          </Button>
          <Button look="danger" busy={isBusy} onClick={() => refuse.mutate()}>
            {words.refuse}
          </Button>
        </div>
      </form>
    </Section>
  );
}
