import { text } from 'node:stream/consumers';
import { buildDocumentKeyBeside, getJob, type JobView } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { getExporter, type TranscriptFormat, type TranscriptDocument } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';
import { defer, lastValueFrom, retry } from 'rxjs';
import { DataSource } from 'typeorm';

const TEXT_FORMATS: readonly TranscriptFormat[] = ['json', 'txt', 'srt', 'vtt'];
/** The response cannot be requested again: a short outage must not lose it. */
const READ_RETRY = { count: 5, delay: 1_000 };

/** Reads the transcript of a completed job as text: the stored file if its format is text, otherwise rendered as txt. */
@Injectable()
export class TranscriptTextReader {
  constructor(
    private readonly dataSource: DataSource,
    @Inject(OBJECT_STORE) private readonly store: ObjectStore,
  ) {}

  /** Retries for five seconds. Without the final line break. */
  read(accountId: string, jobId: string): Promise<string> {
    return lastValueFrom(defer(() => this.readOnce(accountId, jobId)).pipe(retry(READ_RETRY)));
  }

  private async readOnce(accountId: string, jobId: string): Promise<string> {
    const { resultKey, options }: JobView = await getJob(this.dataSource, accountId, jobId);
    if (resultKey === null) throw new Error('The job has no transcript.');
    const transcript = TEXT_FORMATS.includes(options.output_type)
      ? await this.readObject(resultKey)
      : await renderPlainText(await this.readObject(buildDocumentKeyBeside(resultKey)));
    return transcript.replace(/\r?\n$/, '');
  }

  private async readObject(key: string): Promise<string> {
    return text(await this.store.get(key));
  }
}

async function renderPlainText(document: string): Promise<string> {
  const rendered = await getExporter('txt').render(JSON.parse(document) as TranscriptDocument);
  return rendered.toString('utf8');
}
