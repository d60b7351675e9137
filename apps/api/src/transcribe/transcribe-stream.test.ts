import type { Caller } from '@app/auth';
import type { MessageEvent } from '@nestjs/common';
import { from, lastValueFrom, type Observable, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import type { TranscriptDownloadUrlService } from '../transcripts/transcript-download-url.service.js';
import type { JobStreamService } from '../streaming/job-stream.js';
import type { JobEndWaiter } from './job-end-waiter.js';
import type { TranscriptTextReader } from './transcript-text-reader.js';
import { TranscribeStreamService } from './transcribe-stream.js';

/** The message types of the response if the stream of the job sends these and ends, as at shutdown. */
function streamedTypes(...types: string[]): Promise<string[]> {
  const messages = types.map((type): MessageEvent => ({ type, data: {} }));
  const stream = new TranscribeStreamService(
    { followInPool: () => from(messages) } as unknown as JobStreamService,
    { forPendingJob: () => 'https://example.com/t' } as unknown as TranscriptDownloadUrlService,
    {} as TranscriptTextReader,
    { failOnInterruption: (events: Observable<MessageEvent>) => events } as unknown as JobEndWaiter,
    { streams: { heartbeatSeconds: 60 } } as ApiOptions,
  );
  const events = stream.open({ accountId: 'a' } as Caller, 'job');
  return lastValueFrom(events.pipe(toArray())).then((all) => all.map(({ type }) => type ?? ''));
}

describe('TranscribeStreamService', () => {
  it('completes after the transcript and after a failure', async () => {
    expect(await streamedTypes('progress', 'completed', 'transcript')).toEqual([
      'accepted',
      'progress',
      'completed',
      'transcript',
    ]);
    expect(await streamedTypes('failed')).toEqual(['accepted', 'failed']);
  });

  it('errors if the job stream ends before the job', async () => {
    for (const types of [[], ['progress'], ['waiting', 'completed']])
      await expect(streamedTypes(...types)).rejects.toThrow('ended before the job');
  });
});
