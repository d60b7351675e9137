import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { PROFILE_QUERY_KEY_PREFIX, sessionQueryOptions } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';

/** The name that others see. */
export function UserNameSection({ name }: { name: string }) {
  const queryClient = useQueryClient();
  const [entered, setEntered] = useState(name);
  const save = useMutation({
    mutationFn: (newName: string) => requestJson<void>('PUT', 'profile/name', { name: newName }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries(sessionQueryOptions),
        queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX }),
      ]),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate(entered.trim());
  };
  return (
    <Section title={texts.profile.nameTitle}>
      <form className="flex max-w-md flex-col gap-3" onSubmit={submit}>
        <TextField
          label={texts.profile.name}
          help={texts.profile.nameHelp}
          error={findFieldMessageOfApiError(save.error, 'name')}
          autoComplete="name"
          required
          maxCharacters={200}
          value={entered}
          onChange={(event) => setEntered(event.target.value)}
        />
        <ActionErrorNotice error={save.error} shownFields={['name']} />
        {save.isSuccess && save.variables === entered.trim() && (
          <Notice kind="success">{texts.profile.nameSaved}</Notice>
        )}
        <Button type="submit" className="self-start" busy={save.isPending}>
          {texts.save}
        </Button>
      </form>
    </Section>
  );
}
