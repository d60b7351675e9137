import type { Caller } from '@app/auth';
import type { MessageEvent } from '@nestjs/common';
import { from, lastValueFrom, toArray } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { ApiOptions } from '../api-options.js';
import type { Downloads } from '../results/downloads.js';
import type { JobStream } from '../streaming/job-stream.js';
import type { TranscriptText } from './transcript-text.js';
import { TranscribeStream } from './transcribe-stream.js';

/** The answer where the job's own stream tells this and ends in order, as it does when the process is stopped. */
function answered(...types: string[]): Promise<string[]> {
  const told = types.map((type): MessageEvent => ({ type, data: {} }));
  const stream = new TranscribeStream(
    { follow: () => from(told) } as unknown as JobStream,
    { promised: () => 'https://example.com/t' } as unknown as Downloads,
    {} as TranscriptText,
    { streams: { heartbeatSeconds: 60 } } as ApiOptions,
  );
  const events = stream.open({ accountId: 'a' } as Caller, 'job');
  return lastValueFrom(events.pipe(toArray())).then((all) => all.map(({ type }) => type ?? ''));
}

describe('the answer to a one-shot request', () => {
  it('ends in order after the transcript, and after a failure', async () => {
    expect(await answered('progress', 'completed', 'transcript')).toEqual([
      'accepted',
      'progress',
      'completed',
      'transcript',
    ]);
    expect(await answered('failed')).toEqual(['accepted', 'failed']);
  });

  it('fails where the stream of the job ended before the job, so that this does not look like the end', async () => {
    for (const types of [[], ['progress'], ['waiting', 'completed']])
      await expect(answered(...types)).rejects.toThrow('ended before the job');
  });
});
