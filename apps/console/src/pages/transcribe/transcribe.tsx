import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, requestJson } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { CodeSampleBlock } from '../../components/code-block.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page, Section } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { JOB_CODE_SAMPLE_VARIANTS, renderCodeSample } from '../../jobs/code-samples.ts';
import { jobQueryOptions } from '../../api/jobs.ts';
import type { ConsoleApiSchema } from '../../api/types.ts';
import {
  DEFAULT_JOB_OPTIONS_FORM_VALUES,
  findRepeatedMetadataName,
  type JobOptionsBody,
  type JobOptionsFormValues,
  toJobOptionsFormValues,
  toJobOptionsBody,
} from '../../jobs/job-options.ts';
import { listErrorsOfUnchangedOptions } from '../../jobs/option-error.ts';
import { createRandomHexId } from '../../lib/create-id.ts';
import { parseFileNameFromUrl } from '../../lib/parse-file-name-from-url.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';
import type { UploadWithProgress } from '../../uploads/upload-with-progress.ts';
import { buildUploadOwnerKey } from '../../uploads/owner.ts';
import { createUrlUploadRecord, createFileUploadRecord } from '../../uploads/create-record.ts';
import { AudioInputSection } from './audio-input-section.tsx';
import { isMicrophoneRecording } from './microphone-recording.ts';
import { OptionsForm } from './options-form.tsx';
import { UploadCard } from './upload-card.tsx';
import { useChosenFiles } from './use-chosen-files.ts';
import { useUploadManager } from './use-upload-manager.ts';

/** Clients of OpenAI have no parameters for most of the options. */
const CODE_SAMPLE_VARIANTS_WITH_OPTIONS = JOB_CODE_SAMPLE_VARIANTS.filter((name) => name !== 'openai');

export function TranscribePage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const isAllowed = session.account?.permissions.includes('jobs.write') ?? false;
  return (
    <Page title={texts.transcribe.title} intro={texts.transcribe.intro}>
      {isAllowed ? (
        <TranscribeForm accountId={session.account?.id ?? ''} owner={buildUploadOwnerKey(session) ?? ''} />
      ) : (
        <Notice>{texts.transcribe.notAllowed}</Notice>
      )}
    </Page>
  );
}

interface AddressRequest {
  url: string;
  name: string | null;
  body: JobOptionsBody;
}

function TranscribeForm({ accountId, owner }: { accountId: string; owner: string }) {
  const t = texts.transcribe;
  const { from } = useSearch({ from: '/shell/transcribe' });
  const { manager, uploads } = useUploadManager(owner);
  const list = useFocusAfterRemoval<HTMLDivElement>(uploads.length);
  const [changed, setChanged] = useState<JobOptionsFormValues | null>(null);
  const [address, setAddress] = useState('');
  const earlier = useQuery({ ...jobQueryOptions(accountId, from ?? ''), enabled: from !== undefined });
  const earlierForm = earlier.data
    ? toJobOptionsFormValues(earlier.data.options, earlier.data.metadata, earlier.data.callback_url)
    : DEFAULT_JOB_OPTIONS_FORM_VALUES;
  const areOptionsLoading = from !== undefined && earlier.isPending;
  const form = changed ?? earlierForm;
  const [deletion] = useState(manager.deletion);
  const toUpload = (file: File) => ({
    record: createFileUploadRecord(owner, file, form, isMicrophoneRecording(file)),
    file,
  });
  const { files, changeFiles } = useChosenFiles((recordings) => {
    // Signing out ends what belongs to its user.
    if (!deletion.aborted) void manager.addPaused(recordings.map(toUpload));
  });
  const bodyOf = (fileName: string | null) => toJobOptionsBody(form, fileName);
  const [sentForm, setSentForm] = useState<JobOptionsFormValues | null>(null);
  useUnsavedInputGuard(files.length > 0 || isTextUnsent(form, sentForm ?? earlierForm));
  // The same request has the same key until it succeeds, so that a lost answer does not make a second job.
  const idempotency = useRef({ request: '', key: '' });
  const byAddress = useMutation({
    mutationFn: ({ url, body }: AddressRequest) => {
      const request = { ...body, audio_url: url };
      const text = JSON.stringify(request);
      if (idempotency.current.request !== text)
        idempotency.current = { request: text, key: createRandomHexId() };
      return requestJson<ConsoleApiSchema<'UploadResponse'>>('POST', 'upload', request, {
        headers: { 'idempotency-key': idempotency.current.key },
      });
    },
    onSuccess: async ({ job_id: jobId }, { url, body }) => {
      idempotency.current = { request: '', key: '' };
      // Another one may have been typed meanwhile.
      setAddress((typed) => (typed.trim() === url ? '' : typed));
      setSentForm(form);
      await manager.addWithoutFile(createUrlUploadRecord(owner, url, jobId, body));
    },
  });
  const repeatedName = findRepeatedMetadataName(form.metadata);
  const [isRepeatedNameShown, setRepeatedNameShown] = useState(false);
  /** @returns whether the options can be sent */
  const checkMetadata = () => {
    setRepeatedNameShown(repeatedName !== null);
    return repeatedName === null;
  };
  const start = () => {
    if (!checkMetadata()) return;
    void manager.add(files.map(toUpload));
    changeFiles(() => []);
    setSentForm(form);
  };
  const sendWithOtherOptions = ({ id, fileName, fileSize, isRecording }: UploadWithProgress) => {
    if (areOptionsLoading || !checkMetadata()) return;
    const record = createFileUploadRecord(owner, { name: fileName, size: fileSize }, form, isRecording);
    void manager.sendWithOtherOptions(id, record);
    setSentForm(form);
  };
  const rejected = uploads.find(({ state, problem }) => state === 'failed' && problem?.fields !== undefined);
  const listOptionErrors = () => {
    if (isRepeatedNameShown && repeatedName !== null)
      return [{ field: 'metadata', message: t.metadataRepeated(repeatedName) }];
    const { error, variables: sent } = byAddress;
    if (error instanceof ApiError && sent)
      return listErrorsOfUnchangedOptions(error.fields, sent.body, bodyOf(sent.name));
    if (!rejected) return [];
    const { problem, body, fileName } = rejected;
    return listErrorsOfUnchangedOptions(problem?.fields ?? [], body, bodyOf(fileName));
  };
  const source =
    address.trim() === ''
      ? ({ kind: 'file', name: files[0]?.name ?? 'audio.mp3', size: files[0]?.size ?? null } as const)
      : ({ kind: 'url', url: address.trim() } as const);
  return (
    <>
      {from !== undefined && earlier.isSuccess && <Notice>{t.optionsFrom}</Notice>}
      {earlier.isError && <Notice kind="error">{t.optionsFromFailed}</Notice>}
      <AudioInputSection
        files={files}
        onFiles={changeFiles}
        areOptionsLoading={areOptionsLoading}
        onStart={start}
        onAddress={(url) => {
          if (!checkMetadata()) return;
          const name = parseFileNameFromUrl(url);
          byAddress.mutate({ url, name, body: bodyOf(name) });
        }}
        address={{
          value: address,
          set: (value) => {
            setAddress(value);
            // The error is about the former URL.
            if (!byAddress.isPending) byAddress.reset();
          },
          isPending: byAddress.isPending,
          error: byAddress.error,
        }}
      />
      {byAddress.error instanceof ApiError && byAddress.error.status === 402 && (
        <Link to="/billing" search={{}} className="text-accent underline underline-offset-2">
          {texts.navigation.billing}
        </Link>
      )}
      <Section title={t.list}>
        <div ref={list} tabIndex={-1}>
          {uploads.length === 0 ? (
            <p className="text-muted">{t.listEmpty}</p>
          ) : (
            <ul className="flex flex-col gap-3">
              {uploads.map((upload) => (
                <UploadCard
                  key={upload.id}
                  upload={upload}
                  accountId={accountId}
                  manager={manager}
                  onSendWithOtherOptions={() => sendWithOtherOptions(upload)}
                />
              ))}
            </ul>
          )}
        </div>
      </Section>
      {areOptionsLoading ? (
        <Section title={t.options}>
          <Skeleton rows={12} />
        </Section>
      ) : (
        <>
          <OptionsForm accountId={accountId} value={form} onChange={setChanged} errors={listOptionErrors()} />
          <details className="border-line bg-surface rounded-lg border p-4">
            <summary className="font-semibold">{t.code}</summary>
            <p className="text-muted py-2 text-xs">{t.codeNote}</p>
            <CodeSampleBlock
              variants={CODE_SAMPLE_VARIANTS_WITH_OPTIONS}
              render={(variant) =>
                renderCodeSample(variant, {
                  baseUrl: new URL('../', document.baseURI).href,
                  apiKey: null,
                  source,
                  body: toJobOptionsBody(
                    form,
                    source.kind === 'file' ? source.name : parseFileNameFromUrl(source.url),
                  ),
                })
              }
            />
          </details>
        </>
      )}
    </>
  );
}

/** Choices are made again with a click. */
function isTextUnsent(form: JobOptionsFormValues, sent: JobOptionsFormValues): boolean {
  return form.terms !== sent.terms || form.metadata !== sent.metadata;
}
