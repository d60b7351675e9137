import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { vocabulariesQueryOptions, type VocabularySummary } from '../../api/vocabularies.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import { VocabularyDialog } from './vocabulary-dialog.tsx';

const words = texts.vocabularies;

export function VocabulariesSection({ accountId, mayWrite }: { accountId: string; mayWrite: boolean }) {
  const list = useQuery(vocabulariesQueryOptions(accountId));
  const [isAdding, setAdding] = useState(false);
  const [status, setStatus] = useState<string | null>(null);
  const vocabularies = list.data?.vocabularies;
  return (
    <Section
      title={words.title}
      actions={mayWrite && <Button onClick={() => setAdding(true)}>{words.add}</Button>}
    >
      <p className="text-muted">{words.intro}</p>
      <RemovableRows count={vocabularies?.length ?? 0} status={status}>
        {list.isError && !vocabularies ? (
          <LoadErrorNotice error={list.error} onRetry={() => void list.refetch()} />
        ) : !vocabularies ? (
          <Skeleton rows={2} />
        ) : vocabularies.length === 0 ? (
          <p className="text-muted">{words.empty}</p>
        ) : (
          <VocabularyTable
            accountId={accountId}
            vocabularies={vocabularies}
            mayWrite={mayWrite}
            onDeleted={(name) => setStatus(words.deleted(name))}
          />
        )}
      </RemovableRows>
      {isAdding && <VocabularyDialog accountId={accountId} id={null} onClose={() => setAdding(false)} />}
    </Section>
  );
}

function VocabularyTable({
  accountId,
  vocabularies,
  mayWrite,
  onDeleted,
}: {
  accountId: string;
  vocabularies: VocabularySummary[];
  mayWrite: boolean;
  onDeleted: (name: string) => void;
}) {
  const queryClient = useQueryClient();
  const [changing, setChanging] = useState<string | null>(null);
  const [deleting, setDeleting] = useState<VocabularySummary | null>(null);
  const remove = useMutation({
    mutationFn: ({ id }: VocabularySummary) => requestJson<void>('DELETE', `vocabularies/${id}`),
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries(vocabulariesQueryOptions(accountId));
      onDeleted(name);
      setDeleting(null);
    },
  });
  const columns: Column<VocabularySummary>[] = [
    { key: 'name', title: words.name, render: ({ name }) => <span className="break-words">{name}</span> },
    { key: 'terms', title: words.terms, render: ({ term_count: count }) => formatNumber(count) },
    {
      key: 'updated',
      title: words.updated,
      render: ({ updated_at: updatedAt }) => <Time value={updatedAt} relative />,
    },
  ];
  if (mayWrite)
    columns.push({
      key: 'actions',
      title: words.actions,
      titleHidden: true,
      render: (vocabulary) => (
        <div className="flex flex-wrap gap-2 md:justify-end">
          <Button aria-label={words.editLabel(vocabulary.name)} onClick={() => setChanging(vocabulary.id)}>
            {words.edit}
          </Button>
          <Button
            look="danger"
            aria-label={words.deleteLabel(vocabulary.name)}
            onClick={() => setDeleting(vocabulary)}
          >
            {words.delete}
          </Button>
        </div>
      ),
    });
  return (
    <>
      <Table label={words.title} columns={columns} rows={vocabularies} keyOf={({ id }) => id} />
      {changing !== null && (
        <VocabularyDialog accountId={accountId} id={changing} onClose={() => setChanging(null)} />
      )}
      {deleting && (
        <ConfirmDialog
          title={words.deleteTitle(deleting.name)}
          text={words.deleteText}
          action={words.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(deleting)}
          onClose={() => setDeleting(null)}
        />
      )}
    </>
  );
}
