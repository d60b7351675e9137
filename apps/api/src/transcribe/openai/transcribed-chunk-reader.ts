import type { Caller } from '@app/auth';
import { type JobOptions, readTranscribedChunksBeforeFirstPending } from '@app/jobs';
import { dropFillersMutatingWords, joinWords } from '@app/transcript';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { JobStreamService } from '../../streaming/job-stream.js';
import type { ChunkSource } from './render/read-until-settled.js';
import type { StreamedChunkText } from './render/stream-transcription-events.js';

/** Reads the text of chunks while a job runs. */
@Injectable()
export class TranscribedChunkReader {
  constructor(
    private readonly dataSource: DataSource,
    private readonly jobs: JobStreamService,
  ) {}

  /**
   * @returns a source that reads the chunks since its last call. It reads none if values are redacted, which only the
   *   transcript is
   */
  openSource(
    { accountId }: Caller,
    jobId: string,
    { filler_words: keepsFillers, redact }: Pick<JobOptions, 'filler_words' | 'redact'>,
  ): ChunkSource<StreamedChunkText> {
    let firstIndex = 0;
    const read = async () => {
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
          text: joinWords(keepsFillers ? spoken : dropFillersMutatingWords(spoken)),
        };
      });
    };
    return { read, progress: this.jobs.watchChanges(jobId) };
  }
}
