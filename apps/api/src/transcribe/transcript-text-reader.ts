import { text } from 'node:stream/consumers';
import { buildDocumentKeyBeside, type JobView } from '@app/jobs';
import { OBJECT_STORE, type ObjectStore } from '@app/storage';
import { findExporter, type OutputType, type TranscriptDocument } from '@app/transcript';
import { Inject, Injectable } from '@nestjs/common';

const TEXT_FORMATS: readonly OutputType[] = ['json', 'txt', 'srt', 'vtt'];

/** Reads a transcript as text: the stored file if its format is text, otherwise rendered as txt. */
@Injectable()
export class TranscriptTextReader {
  constructor(@Inject(OBJECT_STORE) private readonly store: ObjectStore) {}

  /** Without the final line break. */
  async read({ resultKey, options }: Pick<JobView, 'resultKey' | 'options'>): Promise<string> {
    if (resultKey === null) throw new Error('The job has no transcript.');
    const written = TEXT_FORMATS.includes(options.output_type)
      ? await this.readObject(resultKey)
      : await renderPlainText(await this.readObject(buildDocumentKeyBeside(resultKey)));
    return written.replace(/\r?\n$/, '');
  }

  private async readObject(key: string): Promise<string> {
    return text(await this.store.get(key));
  }
}

async function renderPlainText(document: string): Promise<string> {
  const rendered = await findExporter('txt').render(JSON.parse(document) as TranscriptDocument);
  return rendered.toString('utf8');
}
