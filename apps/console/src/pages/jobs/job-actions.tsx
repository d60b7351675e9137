import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { type JobDetails, buildJobListsQueryKeyPrefix, jobQueryOptions } from '../../api/jobs.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import { Button, LINK_AS_PRIMARY_BUTTON_CLASSES } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';
import { buildUploadOwnerKey } from '../../uploads/owner.ts';
import { getSharedUploadManager } from '../../uploads/shared-upload-manager.ts';
import { buildJobAudioQueryKey } from '../transcript/use-local-job-audio-file.ts';

const LINK =
  'border-control bg-surface hover:bg-raised inline-flex min-h-9 items-center rounded-md border px-3 py-1.5 font-medium';

interface JobActionsProps {
  accountId: string;
  job: JobDetails;
  mayWrite: boolean;
}

export function JobActions({ accountId, job, mayWrite }: JobActionsProps) {
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const path = `jobs/${job.job_id}`;
  const close = () => setAsked(null);
  const cancel = useMutation({
    mutationFn: () => requestJson<ConsoleApiSchema<'StatusResponse'>>('POST', `${path}/cancel`),
    onSuccess: async () => {
      await queryClient.invalidateQueries(jobQueryOptions(accountId, job.job_id));
      close();
    },
  });
  const forgetJobIfLeft = () =>
    queryClient.removeQueries({ ...jobQueryOptions(accountId, job.job_id), type: 'inactive' });
  const remove = useMutation({
    mutationFn: () => requestJson<void>('DELETE', path),
    onSuccess: async () => {
      // Not awaited: the storage of the browser may not respond.
      void getSharedUploadManager(queryClient).forgetJob(job.job_id);
      const owner = buildUploadOwnerKey(session) ?? '';
      queryClient.removeQueries({ queryKey: buildJobAudioQueryKey(owner, job.job_id) });
      const lists = { queryKey: buildJobListsQueryKeyPrefix(accountId) };
      queryClient.removeQueries({ ...lists, type: 'inactive' });
      forgetJobIfLeft();
      // Somebody may have gone on to a list meanwhile.
      await queryClient.invalidateQueries(lists);
    },
  });
  // Not called if somebody has gone on to another page.
  const showJobs = async () => {
    await navigate({ to: '/jobs' });
    forgetJobIfLeft();
  };
  const isProcessing = job.status === 'processing';
  return (
    <div className="flex flex-wrap gap-2">
      {job.transcript_available && (
        <Link
          className={LINK_AS_PRIMARY_BUTTON_CLASSES}
          to="/jobs/$jobId/transcript"
          params={{ jobId: job.job_id }}
        >
          {texts.job.openTranscript}
        </Link>
      )}
      {mayWrite && (
        <Link className={LINK} to="/transcribe" search={{ from: job.job_id }}>
          {texts.job.again}
        </Link>
      )}
      {mayWrite && isProcessing && (
        <Button look="danger" onClick={() => setAsked('cancel')}>
          {texts.job.cancel}
        </Button>
      )}
      {mayWrite && !isProcessing && (
        <Button look="danger" onClick={() => setAsked('delete')}>
          {texts.job.delete}
        </Button>
      )}
      {cancel.isSuccess && cancel.data.status !== 'cancelled' && <Notice>{texts.job.nothingToCancel}</Notice>}
      {asked === 'cancel' && (
        <ConfirmDialog
          title={texts.job.cancelTitle}
          text={texts.job.cancelText}
          action={texts.job.cancel}
          busy={cancel.isPending}
          error={cancel.error}
          onConfirm={() => cancel.mutate()}
          onClose={close}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={texts.job.deleteTitle}
          text={texts.job.deleteText}
          action={texts.job.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: () => void showJobs() })}
          onClose={close}
        />
      )}
    </div>
  );
}
