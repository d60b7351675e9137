import type { Caller } from '@app/auth';
import type { MessageEvent } from '@nestjs/common';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import type { DownloadUrls } from '../results/download-urls.js';
import type { JobStream } from '../streaming/job-stream.js';
import type { TranscriptTextReader } from './transcript-text-reader.js';
import { TranscribeStream } from './transcribe-stream.js';

/** The answer where the job's own stream tells this and ends in order, as it does when the process is stopped. */
function answered(...types: string[]): Promise<string[]> {
  const told = types.map((type): MessageEvent => ({ type, data: {} }));
  const stream = new TranscribeStream(
    { follow: () => from(told) } as unknown as JobStream,
    { forPendingJob: () => 'https://example.com/t' } as unknown as DownloadUrls,
    {} as TranscriptTextReader,
    { streams: { heartbeatSeconds: 60 } } as ApiOptions,
  );
  const events = stream.open({ accountId: 'a' } as Caller, 'job');
  return lastValueFrom(events.pipe(toArray())).then((all) => all.map(({ type }) => type ?? ''));
}

describe('TranscribeStream', () => {
  it('completes after the transcript and after a failure', async () => {
    expect(await answered('progress', 'completed', 'transcript')).toEqual([
      'accepted',
      'progress',
      'completed',
      'transcript',
    ]);
    expect(await answered('failed')).toEqual(['accepted', 'failed']);
  });

  it('errors if the job stream ends before the job', async () => {
    for (const types of [[], ['progress'], ['waiting', 'completed']])
      await expect(answered(...types)).rejects.toThrow('ended before the job');
  });
});
