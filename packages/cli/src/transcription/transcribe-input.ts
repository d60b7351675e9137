import { createHash } from 'node:crypto';
import { mkdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import {
  type AudioInput,
  type JobOptions,
  JobFailedError,
  type OutputType,
  type Progress,
  uploadStateFile,
  type UploadStateStore,
  type Zephyr,
} from 'zephyr-client';
import type { CliContext } from '../command.js';
import { getUploadStateFolder } from '../config.js';
import { isHttpUrl, type FoundInput } from '../files/expand-inputs.js';
import type { InputWithPlannedOutput } from '../files/plan-outputs.js';
import { writeFileAtomically } from '../files/write-file.js';

export interface TranscribeInputOptions {
  client: Zephyr;
  /** Of the state of uploads, so that another server gets its own. */
  server: string;
  format: OutputType;
  jobOptions: JobOptions;
  onProgress: (progress: Progress) => void;
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
  { client, server, format, jobOptions, onProgress, beforeOutput }: TranscribeInputOptions,
): Promise<TranscribedJobIdAndDuration> {
  const { signal } = context;
  const options = { ...jobOptions, output_type: format, metadata: describeFile(planned, jobOptions) };
  const state = await openState(context, planned, { server, options });
  const input: AudioInput = planned.input === '-' ? context.stdin : planned.input;
  const submitted = await client.submit(input, { ...options, signal, onProgress, ...(state && { state }) });
  const job = await client.jobs.wait(submitted.job_id, { signal, onProgress });
  if (job.status === 'failed') {
    await state?.clear();
    throw new JobFailedError(job);
  }
  const transcript =
    job.download_url === null
      ? await client.transcripts.get(job.job_id, { format, signal })
      : await client.transcripts.download(job.download_url, format, { signal });
  const content = toFileContent(transcript);
  if (planned.output === undefined) {
    beforeOutput();
    context.stdout.write(content);
  } else await writeFileAtomically(planned.output, content);
  await state?.clear();
  return { jobId: job.job_id, durationSeconds: job.duration_seconds };
}

export function toFileContent(transcript: unknown): string | Uint8Array {
  if (transcript instanceof Uint8Array) return transcript;
  if (typeof transcript !== 'string') return `${JSON.stringify(transcript, null, 2)}\n`;
  return transcript.endsWith('\n') ? transcript : `${transcript}\n`;
}

/** The name of the file, by which people find the job again. */
function describeFile({ relativePath }: FoundInput, { metadata }: JobOptions): Record<string, string> {
  const name = basename(relativePath)
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 200);
  return { file: name, ...metadata };
}

/** Standard input cannot be read again. */
async function openState(
  context: CliContext,
  { input }: InputWithPlannedOutput,
  what: { server: string; options: object },
): Promise<UploadStateStore | undefined> {
  if (input === '-') return undefined;
  const folder = getUploadStateFolder(context);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = isHttpUrl(input) ? input : resolve(input);
  const version = isHttpUrl(input) ? 0 : (await stat(input)).mtimeMs;
  const name = createHash('sha256')
    .update(JSON.stringify([path, version, what]))
    .digest('hex');
  return uploadStateFile(join(folder, `${name}.json`));
}
