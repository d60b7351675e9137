import type { Caller } from '@app/auth';
import { type JobOptions, readTranscribedChunksBeforeFirstPending } from '@app/jobs';
import { dropFillersMutatingWords, joinWords } from '@app/transcript';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { StreamedChunkText } from './render/stream-transcription-events.js';

/** Reads the text of chunks while a job runs. */
@Injectable()
export class TranscribedChunkReader {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * @returns a function that reads the chunks since its last call. It reads none if values are redacted, which only the
   *   transcript is
   */
  openReader(
    { accountId }: Caller,
    jobId: string,
    { filler_words: keepsFillers, redact }: Pick<JobOptions, 'filler_words' | 'redact'>,
  ): () => Promise<StreamedChunkText[]> {
    let firstIndex = 0;
    return async () => {
      if (redact !== null) return [];
      const chunks = await readTranscribedChunksBeforeFirstPending(this.dataSource, {
        accountId,
        jobId,
        firstIndex,
      });
      firstIndex = (chunks.at(-1)?.index ?? firstIndex - 1) + 1;
      return chunks.map(({ end, channel, language, words }) => {
        const spoken = words.map((word) => ({ ...word, language: word.language ?? language }));
        return {
          end,
          channel,
          text: joinWords((keepsFillers ? spoken : dropFillersMutatingWords(spoken)).map(({ text }) => text)),
        };
      });
    };
  }
}
