import { basename } from 'node:path';
import {
  type AudioInput,
  type JobOptions,
  JobFailedError,
  type OutputType,
  type Progress,
  type Zephyr,
} from 'zephyr-client';
import type { CliContext } from '../command.js';
import { CommandError, describeError } from '../errors.js';
import type { FoundInput } from '../files/expand-inputs.js';
import type { InputWithPlannedOutput } from '../files/plan-outputs.js';
import { assertFileCanBeWritten, writeFileOrDevice } from '../files/write-file.js';
import { readUntilAborted } from '../read-until-aborted.js';
import { runAndClearUploadStateIfRefused, openUploadState } from './saved-upload.js';

/** Control characters, lone surrogates, and characters that change the direction of the text. */
const REFUSED_IN_METADATA = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;
const MAX_METADATA_CHARACTERS = 200;

export interface TranscribeInputOptions {
  client: Zephyr;
  /** Server of the state of uploads, so that another server gets its own. */
  server: string;
  format: OutputType;
  jobOptions: JobOptions;
  onProgress: (progress: Progress) => void;
  /** What the user should know, in a sentence. */
  onNotice: (text: string) => void;
  /** Called with the error if the states of uploads cannot be stored, so that no upload can be continued. */
  onStateUnwritable: (error: unknown) => undefined;
  /** Before a transcript is written to standard output. */
  beforeOutput: () => void;
}

export interface TranscribedJobIdAndDuration {
  jobId: string;
  durationSeconds: number | null;
}

/**
 * Transcribes one input and writes its transcript. What was interrupted continues when it is run again: with the missing parts of
 * the same upload, or with the job that exists.
 */
export async function transcribeInputAndWriteTranscript(
  context: CliContext,
  planned: InputWithPlannedOutput,
  {
    client,
    server,
    format,
    jobOptions,
    onProgress,
    onNotice,
    onStateUnwritable,
    beforeOutput,
  }: TranscribeInputOptions,
): Promise<TranscribedJobIdAndDuration> {
  const { signal } = context;
  const options = { ...jobOptions, output_type: format, metadata: describeFile(planned, jobOptions) };
  if (planned.output !== undefined) await assertFileCanBeWritten(planned.output);
  const opened = await openUploadState(context, planned.input, {
    server,
    options,
    onUnwritable: onStateUnwritable,
  });
  const state = opened?.store;
  if (opened !== undefined && (await opened.store.load()) === undefined)
    for (const id of await opened.removeStaleStates())
      onNotice(
        `An earlier run with other options, or of another content, left the job ${id}. This makes another one; zephyr jobs delete ${id} removes the earlier one.`,
      );
  const input: AudioInput =
    planned.input === '-'
      ? await requireNonEmptyStream(readUntilAborted(context.stdin, signal))
      : planned.input;
  const submitted = await runAndClearUploadStateIfRefused(state, () =>
    client.submit(input, { ...options, signal, onProgress, ...(state && { state }) }),
  );
  const job = await client.jobs.wait(submitted.job_id, { signal, onProgress });
  if (job.status === 'failed') {
    await state?.clear();
    throw new JobFailedError(job);
  }
  const transcript =
    job.download_url === null
      ? await client.transcripts.get(job.job_id, { format, signal })
      : await client.transcripts.download(job.download_url, format, { signal });
  const content = toTranscriptFileContent(transcript);
  if (planned.output === undefined) {
    beforeOutput();
    context.stdout.write(content);
  } else
    await writeFileOrDevice(planned.output, content).catch((error: unknown) => {
      const next = state === undefined ? `zephyr transcript ${job.job_id}` : 'the same command again';
      throw new CommandError(
        `${describeError(error)} The job ${job.job_id} exists: run ${next} to write its transcript.`,
        { cause: error },
      );
    });
  await state?.clear();
  return { jobId: job.job_id, durationSeconds: job.duration_seconds };
}

export function toTranscriptFileContent(transcript: unknown): string | Uint8Array {
  if (transcript instanceof Uint8Array) return transcript;
  if (typeof transcript !== 'string') return `${JSON.stringify(transcript, null, 2)}\n`;
  return transcript.endsWith('\n') ? transcript : `${transcript}\n`;
}

/** The name of the file, by which people find the job again. */
function describeFile({ relativePath }: FoundInput, { metadata }: JobOptions): Record<string, string> {
  const name = [...basename(relativePath).replaceAll(REFUSED_IN_METADATA, '')];
  return { file: name.slice(0, MAX_METADATA_CHARACTERS).join(''), ...metadata };
}

/** The stream, once its first bytes are there. @throws CommandError if it has none */
async function requireNonEmptyStream(stream: AsyncIterable<Uint8Array>): Promise<AsyncGenerator<Uint8Array>> {
  const chunks = stream[Symbol.asyncIterator]();
  let first = await chunks.next();
  while (first.done !== true && first.value.byteLength === 0) first = await chunks.next();
  if (first.done === true) throw new CommandError('Standard input is empty.');
  const { value } = first;
  return (async function* () {
    yield value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
}
