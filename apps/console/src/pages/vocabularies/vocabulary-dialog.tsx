import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { vocabulariesQueryOptions, type Vocabulary, vocabularyQueryOptions } from '../../api/vocabularies.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, LoadErrorNotice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { splitNonEmptyLines } from '../../jobs/job-options.ts';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';

const words = texts.vocabularies;

interface VocabularyDialogProps {
  accountId: string;
  /** Null for a new one. */
  id: string | null;
  onClose: () => void;
}

export function VocabularyDialog({ accountId, id, onClose }: VocabularyDialogProps) {
  const saved = useQuery({
    ...vocabularyQueryOptions(accountId, id ?? ''),
    enabled: id !== null,
    staleTime: 0,
    // What is typed would be replaced.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return (
    <Dialog title={id === null ? words.add : words.editTitle} onClose={onClose}>
      {saved.isError ? (
        <LoadErrorNotice error={saved.error} onRetry={() => void saved.refetch()} />
      ) : id !== null && (!saved.data || saved.isFetching) ? (
        <Skeleton rows={4} />
      ) : (
        <VocabularyForm accountId={accountId} saved={saved.data ?? null} onClose={onClose} />
      )}
    </Dialog>
  );
}

function VocabularyForm({
  accountId,
  saved,
  onClose,
}: {
  accountId: string;
  saved: Vocabulary | null;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const [name, setName] = useState(saved?.name ?? '');
  const [terms, setTerms] = useState(saved?.terms.join('\n') ?? '');
  useUnsavedInputGuard(name !== (saved?.name ?? '') || terms !== (saved?.terms.join('\n') ?? ''));
  const save = useMutation({
    mutationFn: () => {
      const content = { name: name.trim(), terms: splitNonEmptyLines(terms) };
      return saved
        ? requestJson<void>('PUT', `vocabularies/${saved.id}`, content)
        : requestJson<void>('POST', 'vocabularies', content);
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(vocabulariesQueryOptions(accountId));
      onClose();
    },
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (!save.isPending) save.mutate();
      }}
    >
      <TextField
        label={words.name}
        help={words.nameHelp}
        error={findFieldMessageOfApiError(save.error, 'name')}
        required
        maxCharacters={60}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextAreaField
        label={words.terms}
        help={words.termsHelp}
        error={findFieldMessageOfApiError(save.error, 'terms')}
        required
        rows={10}
        value={terms}
        onChange={(event) => setTerms(event.target.value)}
      />
      <ActionErrorNotice error={save.error} shownFields={['name', 'terms']} />
      <DialogActions busy={save.isPending} onClose={onClose}>
        {saved ? texts.save : words.create}
      </DialogActions>
    </form>
  );
}
