import { text } from 'node:stream/consumers';
import { ServiceError } from '@app/errors';
import { buildDocumentKeyFromResultKey, getJob, type JobForApiRoutes } from '@app/jobs';
import { OBJECT_STORE_TOKEN, type ObjectStore } from '@app/storage';
import { getExporter } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { defer, lastValueFrom, retry, type RetryConfig, throwError, timer } from 'rxjs';
import { DataSource } from 'typeorm';
import type {
  TranscriptTextDeltas,
  TranscriptionResponseParams,
} from '../transcripts/rendering/run-render-task.js';
import { TranscriptRenderer } from '../transcripts/rendering/transcript-renderer.js';

/** The response cannot be requested again: a short outage or a busy renderer must not lose it. */
const READ_RETRY: RetryConfig = {
  count: 20,
  delay: (error: unknown) =>
    error instanceof ServiceError && error.status < 500 ? throwError(() => error) : timer(1_000),
};

/** Reads the transcript of a completed job as text: the stored file if its format is text, otherwise rendered as txt. */
@Injectable()
export class TranscriptTextReader {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE_TOKEN) private readonly store: ObjectStore,
    private readonly renderer: TranscriptRenderer,
  ) {}

  /** Retries for twenty seconds. Without the final line break. */
  read(accountId: string, jobId: string): Promise<string> {
    return retryReading(() => this.readOnce(accountId, jobId));
  }

  /** As an OpenAI-compatible response. Retries like `read`. */
  readTranscription(accountId: string, jobId: string, params: TranscriptionResponseParams) {
    return retryReading(async () =>
      this.renderer.renderTranscription(await this.findDocumentKey(accountId, jobId), params),
    );
  }

  /** Retries like `read`. */
  readDeltas(accountId: string, jobId: string): Promise<TranscriptTextDeltas> {
    return retryReading(async () => this.renderer.renderDeltas(await this.findDocumentKey(accountId, jobId)));
  }

  private async findDocumentKey(accountId: string, jobId: string): Promise<string> {
    return buildDocumentKeyFromResultKey((await this.getJobWithTranscript(accountId, jobId)).resultKey);
  }

  private async getJobWithTranscript(
    accountId: string,
    jobId: string,
  ): Promise<JobForApiRoutes & { resultKey: string }> {
    const job = await getJob(this.dataSource, accountId, jobId);
    const { resultKey } = job;
    if (resultKey === null) throw new Error('The job has no transcript.');
    return { ...job, resultKey };
  }

  private async readOnce(accountId: string, jobId: string): Promise<string> {
    const { resultKey, options } = await this.getJobWithTranscript(accountId, jobId);
    const transcript = getExporter(options.output_type).isText
      ? await this.readObject(resultKey)
      : await this.renderer.renderText(buildDocumentKeyFromResultKey(resultKey));
    return transcript.replace(/\r?\n$/, '');
  }

  private async readObject(key: string): Promise<string> {
    return text(await this.store.get(key));
  }
}

function retryReading<T>(read: () => Promise<T>): Promise<T> {
  return lastValueFrom(defer(read).pipe(retry(READ_RETRY)));
}
