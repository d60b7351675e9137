import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { requestJson, requestFile } from '../api/client.ts';
import { offeredSignInMethodsQueryOptions, sessionQueryOptions } from '../api/queries.ts';
import type { Permission, ConsoleApiSchema, Session } from '../api/types.ts';
import { Button, LINK_AS_PRIMARY_BUTTON_CLASSES } from '../components/button.tsx';
import { CodeSampleBlock } from '../components/code-block.tsx';
import { CopyField } from '../components/copy-field.tsx';
import { JobProgressBar } from '../components/job-progress.tsx';
import { ActionErrorNotice, Notice } from '../components/notice.tsx';
import { Page, Section } from '../components/page.tsx';
import { JOB_CODE_SAMPLE_VARIANTS, renderCodeSample } from '../jobs/code-samples.ts';
import { DEFAULT_JOB_OPTIONS_FORM_VALUES, toJobOptionsBody } from '../jobs/job-options.ts';
import { useJobProgress } from '../jobs/use-job-progress.ts';
import { useUnsavedInputGuard } from '../lib/unsaved-input.ts';
import { texts } from '../texts/index.ts';
import { buildUploadOwnerKey } from '../uploads/owner.ts';
import { saveDownloadedJobAudio } from '../uploads/upload-storage.ts';
import { NoAccountPage } from './problem-pages.tsx';

const LINK = 'text-accent underline underline-offset-2';
type AccountOfSession = NonNullable<Session['account']>;

const SAMPLE_FILE = 'sample.mp3';

export function WelcomePage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const { account } = session;
  if (!account) return <NoAccountPage />;
  // Another account starts without the key and the job of this one.
  return <FirstSteps key={account.id} session={session} account={account} />;
}

function FirstSteps({ session, account }: { session: Session; account: AccountOfSession }) {
  const t = texts.welcome;
  const may = (permission: Permission) => account.permissions.includes(permission);
  const createKey = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'CreatedApiKeyResponse'>>('POST', 'keys', { name: t.keyName }),
  });
  const apiKey = createKey.data?.api_key ?? null;
  const [isKeyCopied, setKeyCopied] = useState(false);
  useUnsavedInputGuard(createKey.isPending || (apiKey !== null && !isKeyCopied), 'secret');
  return (
    <Page title={t.title} intro={may('jobs.write') ? t.intro(account.name) : t.viewerIntro(account.name)}>
      <PasswordReminder user={session.user} />
      {!may('jobs.write') && <ViewerSection />}
      {may('jobs.write') && (
        <Section title={t.ownTitle}>
          <p className="text-muted">{t.ownText}</p>
          <Link to="/transcribe" search={{}} className={`self-start ${LINK_AS_PRIMARY_BUTTON_CLASSES}`}>
            {t.ownAudio}
          </Link>
        </Section>
      )}
      {may('keys.create') && (
        <Section title={t.keyTitle}>
          <p className="text-muted">{apiKey === null ? t.keyText : t.keyShown}</p>
          <ActionErrorNotice error={createKey.error} />
          {apiKey === null ? (
            <Button
              look="primary"
              className="self-start"
              busy={createKey.isPending}
              onClick={() => createKey.mutate()}
            >
              {t.keyButton}
            </Button>
          ) : (
            <CopyField label={t.key} value={apiKey} onCopied={() => setKeyCopied(true)} />
          )}
        </Section>
      )}
      {may('jobs.write') && (
        <SampleSection accountId={account.id} owner={buildUploadOwnerKey(session) ?? ''} />
      )}
      {may('keys.create') && (
        <Section title={t.codeTitle}>
          <p className="text-muted">
            {t.codeText} {apiKey === null && t.codeWithoutKey}
          </p>
          <CodeSampleBlock
            variants={JOB_CODE_SAMPLE_VARIANTS}
            // The key is in the code.
            onCopied={() => setKeyCopied(true)}
            render={(variant) =>
              renderCodeSample(variant, {
                baseUrl: new URL('../', document.baseURI).href,
                apiKey,
                source: { kind: 'file', name: SAMPLE_FILE, size: null },
                body: toJobOptionsBody(DEFAULT_JOB_OPTIONS_FORM_VALUES, null),
              })
            }
          />
        </Section>
      )}
    </Page>
  );
}

/** For those who came by a link and could not sign in again. */
function PasswordReminder({ user }: { user: Session['user'] }) {
  const { data: methods } = useQuery(offeredSignInMethodsQueryOptions);
  if (user.has_password || user.passkeys > 0 || !methods || methods.oidc) return null;
  return (
    <Notice>
      {texts.welcome.noPassword}{' '}
      <Link to="/profile" className={LINK}>
        {texts.welcome.setPassword}
      </Link>
    </Notice>
  );
}

/** For roles that cannot transcribe. */
function ViewerSection() {
  const t = texts.welcome;
  return (
    <>
      <Notice>{t.viewer}</Notice>
      <Section title={t.viewerTitle}>
        <ul className="flex flex-col gap-2">
          {(['jobs', 'webhooks', 'billing'] as const).map((page) => (
            <li key={page}>
              <Link to={`/${page}`} className={LINK}>
                {t.viewerLinks[page]}
              </Link>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function SampleSection({ accountId, owner }: { accountId: string; owner: string }) {
  const t = texts.welcome;
  const [jobId, setJobId] = useState<string | null>(null);
  const transcribe = useMutation({
    mutationFn: () => requestJson<ConsoleApiSchema<'SampleJobResponse'>>('POST', 'jobs/sample'),
    onSuccess: ({ job_id }) => {
      setJobId(job_id);
      void saveSampleAudio(job_id, owner);
    },
  });
  return (
    <Section title={t.sampleTitle}>
      <p className="text-muted">
        {t.sampleText}{' '}
        <a href="api/sample-audio" download={SAMPLE_FILE} className={LINK}>
          {t.sampleDownload}
        </a>
      </p>
      <ActionErrorNotice error={transcribe.error} />
      <Button
        look={jobId === null ? 'primary' : 'secondary'}
        className="self-start"
        busy={transcribe.isPending}
        onClick={() => transcribe.mutate()}
      >
        {jobId === null ? t.sampleButton : t.sampleAgain}
      </Button>
      {jobId !== null && <SampleJob key={jobId} accountId={accountId} jobId={jobId} />}
    </Section>
  );
}

function SampleJob({ accountId, jobId }: { accountId: string; jobId: string }) {
  const progress = useJobProgress(accountId, jobId);
  return (
    <>
      <JobProgressBar progress={progress} label={texts.transcribe.progressLabel(texts.welcome.sampleName)} />
      {progress.status === 'completed' && (
        <Link
          to="/jobs/$jobId/transcript"
          params={{ jobId }}
          className={`self-start ${LINK_AS_PRIMARY_BUTTON_CLASSES}`}
        >
          {texts.transcribe.openTranscript}
        </Link>
      )}
    </>
  );
}

/** For the player; without it, the page of the transcript asks for the file. */
async function saveSampleAudio(jobId: string, owner: string): Promise<void> {
  const audio = await requestFile('sample-audio').catch(() => null);
  if (audio) await saveDownloadedJobAudio(jobId, owner, new File([audio], SAMPLE_FILE, { type: audio.type }));
}
