import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  isVocabularyChangedError,
  readVocabulary,
  saveVocabulary,
  vocabulariesQueryOptions,
  type Vocabulary,
  vocabularyQueryOptions,
} from '../../api/vocabularies.ts';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { TextAreaField, TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, LoadErrorNotice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { useDiscardQuestion } from '../../components/use-discard-question.tsx';
import { splitNonEmptyLines } from '../../jobs/job-options.ts';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import { VocabularyConflictNotice } from './vocabulary-conflict-notice.tsx';

const words = texts.vocabularies;

interface VocabularyDialogProps {
  accountId: string;
  /** Null for a new one. */
  id: string | null;
  onClose: () => void;
}

interface VocabularyInput {
  name: string;
  /** One a line. */
  terms: string;
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
  const [typed, setTyped] = useState<Partial<VocabularyInput>>({});
  const before = { name: saved.data?.name ?? '', terms: saved.data?.terms.join('\n') ?? '' };
  const input = { ...before, ...typed };
  const isChanged = input.name !== before.name || input.terms !== before.terms;
  useUnsavedInputGuard(isChanged);
  const discard = useDiscardQuestion(isChanged, onClose);
  return (
    <Dialog title={id === null ? words.add : words.editTitle} onClose={discard.close}>
      {saved.isError ? (
        <LoadErrorNotice error={saved.error} onRetry={() => void saved.refetch()} />
      ) : id !== null && (!saved.data || saved.isFetching) ? (
        <Skeleton rows={4} />
      ) : (
        <VocabularyForm
          accountId={accountId}
          saved={saved.data ?? null}
          input={input}
          onInput={(change) => setTyped({ ...typed, ...change })}
          onSaved={onClose}
          onClose={discard.close}
        />
      )}
      {discard.dialog}
    </Dialog>
  );
}

interface VocabularyFormProps {
  accountId: string;
  saved: Vocabulary | null;
  input: VocabularyInput;
  onInput: (change: Partial<VocabularyInput>) => void;
  onSaved: () => void;
  onClose: () => void;
}

function VocabularyForm({ accountId, saved, input, onInput, onSaved, onClose }: VocabularyFormProps) {
  const queryClient = useQueryClient();
  const [theirs, setTheirs] = useState<Vocabulary | null>(null);
  const save = useMutation({
    mutationFn: async () => {
      const content = { name: input.name.trim(), terms: splitNonEmptyLines(input.terms) };
      try {
        // If it is not the one that was seen first, the conflict shows it.
        await saveVocabulary(content, theirs ?? saved);
      } catch (error) {
        // Not by its query, which would replace what is typed.
        if (saved && isVocabularyChangedError(error)) setTheirs(await readVocabulary(saved.id));
        throw error;
      }
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries(vocabulariesQueryOptions(accountId));
      onSaved();
    },
  });
  const conflict = isVocabularyChangedError(save.error) ? theirs : null;
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
        value={input.name}
        onChange={({ target }) => onInput({ name: target.value })}
      />
      <TextAreaField
        label={words.terms}
        help={words.termsHelp}
        error={findFieldMessageOfApiError(save.error, 'terms')}
        required
        rows={10}
        value={input.terms}
        onChange={({ target }) => onInput({ terms: target.value })}
      />
      {saved && conflict ? (
        <VocabularyConflictNotice seen={saved} theirs={conflict} />
      ) : (
        <ActionErrorNotice error={save.error} shownFields={['name', 'terms']} />
      )}
      <DialogActions busy={save.isPending} onClose={onClose}>
        {conflict ? words.saveMine : saved ? texts.save : words.create}
      </DialogActions>
    </form>
  );
}
