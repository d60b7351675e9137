import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { JobLink } from '../../components/job-link.tsx';
import { JobProgressBar } from '../../components/job-progress.tsx';
import { Notice } from '../../components/notice.tsx';
import { useJobProgress } from '../../jobs/use-job-progress.ts';
import { formatBytes, formatPercent } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';
import type { UploadManager } from '../../uploads/upload-manager.ts';
import { hasUnsentAudio } from '../../uploads/upload-record.ts';
import type { UploadWithProgress } from '../../uploads/upload-with-progress.ts';

interface UploadCardProps {
  upload: UploadWithProgress;
  accountId: string;
  manager: UploadManager;
  /** With the options of the form, after those of the upload were rejected. */
  onSendWithOtherOptions: () => void;
}

/** One upload and then its job, live. */
export function UploadCard({ upload, accountId, manager, onSendWithOtherOptions }: UploadCardProps) {
  const t = texts.transcribe;
  const { id, fileName, state, isRecording = false } = upload;
  const [isAsking, setAsking] = useState(false);
  const needsQuestion = hasUnsentAudio(upload);
  const main = getMainAction({ upload, manager, onSendWithOtherOptions });
  return (
    <li className="border-line flex flex-col gap-2 rounded-md border p-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 dir="auto" className="min-w-0 flex-1 basis-40 font-medium break-all">
          {fileName}
        </h3>
        {/* One element for all of them, so that it keeps the focus. */}
        {main && <Action name={fileName} {...main} />}
        <Action
          name={fileName}
          action={state === 'sent' || state === 'failed' ? t.dismiss : t.cancelUpload}
          onClick={() => {
            if (needsQuestion) setAsking(true);
            else void manager.remove(id);
          }}
        />
      </div>
      {/* Without what changes from second to second. */}
      <p role="status" className="sr-only">
        {[t.ofFile(fileName, t.states[state]), upload.retry?.message].filter(Boolean).join('. ')}
      </p>
      {isAsking && needsQuestion && (
        <ConfirmDialog
          title={isRecording ? t.deleteRecordingTitle : t.cancelUploadTitle}
          text={isRecording ? t.deleteRecordingText : t.cancelUploadText}
          action={isRecording ? t.deleteRecording : t.cancelUpload}
          cancel={t.keep}
          busy={false}
          error={null}
          onConfirm={() => {
            setAsking(false);
            void manager.remove(id);
          }}
          onClose={() => setAsking(false)}
        />
      )}
      {state === 'sent' && upload.plan ? (
        <SentJob accountId={accountId} jobId={upload.plan.jobId} name={fileName} />
      ) : (
        <SendingState upload={upload} manager={manager} />
      )}
    </li>
  );
}

/** Null if there is none: a file that is too large stays so. */
function getMainAction({
  upload: { id, state, problem },
  manager,
  onSendWithOtherOptions,
}: Pick<UploadCardProps, 'upload' | 'manager' | 'onSendWithOtherOptions'>): {
  action: string;
  onClick: () => void;
} | null {
  const t = texts.transcribe;
  switch (state) {
    case 'sending':
    case 'waiting':
      return { action: t.pause, onClick: () => manager.pause(id) };
    case 'paused':
      return { action: t.resume, onClick: () => manager.resume(id) };
    case 'stopped':
      return { action: t.tryAgain, onClick: () => manager.resume(id) };
    case 'failed':
      if (problem?.status === 413) return null;
      return {
        action: t.tryAgain,
        onClick:
          problem?.fields === undefined ? () => void manager.retryWithAnotherJob(id) : onSendWithOtherOptions,
      };
    default:
      return null;
  }
}

function Action({ name, action, onClick }: { name: string; action: string; onClick: () => void }) {
  return (
    <Button aria-label={texts.transcribe.ofFile(action, name)} onClick={onClick}>
      {action}
    </Button>
  );
}

function SentJob({ accountId, jobId, name }: { accountId: string; jobId: string; name: string }) {
  const progress = useJobProgress(accountId, jobId);
  const link = 'text-accent underline underline-offset-2';
  return (
    <>
      <JobProgressBar progress={progress} label={texts.transcribe.progressLabel(name)} />
      <p className="flex flex-wrap gap-4">
        {progress.status === 'completed' && (
          <Link to="/jobs/$jobId/transcript" params={{ jobId }} className={link}>
            {texts.transcribe.openTranscript}
          </Link>
        )}
        <JobLink jobId={jobId}>{texts.transcribe.openJob}</JobLink>
      </p>
    </>
  );
}

function SendingState({ upload, manager }: { upload: UploadWithProgress; manager: UploadManager }) {
  const t = texts.transcribe;
  const { fileName, fileSize, sentBytes, state, problem, retry } = upload;
  const share = fileSize > 0 ? sentBytes / fileSize : 0;
  return (
    <>
      {state !== 'failed' && (
        <>
          <progress className="h-2 w-full" aria-label={t.progressLabel(fileName)} max={1} value={share} />
          <p className="text-muted text-xs">
            {t.states[state]} ·{' '}
            {t.sentOf(formatBytes(sentBytes), formatBytes(fileSize), formatPercent(share))}
          </p>
        </>
      )}
      {retry && <RetryCountdown message={retry.message} at={retry.at} />}
      {problem && (
        <Notice kind="error">
          {problem.message}
          {problem.fields !== undefined && ` ${t.correctOptions}`}
          {problem.status === 402 && (
            <>
              {' '}
              <Link to="/billing" search={{}} className="underline underline-offset-2">
                {texts.navigation.billing}
              </Link>
            </>
          )}
        </Notice>
      )}
      {state === 'file_missing' && <MissingFile upload={upload} manager={manager} />}
    </>
  );
}

function RetryCountdown({ message, at }: { message: string; at: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="text-danger">
      {texts.transcribe.retryAt(message, Math.max(1, Math.ceil((at - now) / 1_000)))}
    </p>
  );
}

function MissingFile({ upload, manager }: { upload: UploadWithProgress; manager: UploadManager }) {
  const t = texts.transcribe;
  const input = useRef<HTMLInputElement>(null);
  const [error, setError] = useState<string | null>(null);
  const attach = async (file: File | undefined) => {
    if (!file) return;
    try {
      setError((await manager.attachFile(upload.id, file)) ? null : t.otherFile);
    } catch {
      setError(t.fileNotRead);
    }
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <p role="alert">{t.fileMissing}</p>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t.ofFile(t.chooseAgain, upload.fileName)}
        onChange={({ target }) => {
          void attach(target.files?.[0]);
          // The same file can be chosen again.
          target.value = '';
        }}
      />
      <Button onClick={() => input.current?.click()}>{t.chooseAgain}</Button>
      {error !== null && <Notice kind="error">{error}</Notice>}
    </div>
  );
}
