import { inTransaction } from '@app/database';
import { endJob } from '@app/jobs';
import { StoreUnavailableError } from '@app/storage';
import type { MessageEvent } from '@nestjs/common';
import { lastValueFrom, NEVER, tap, toArray } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiOptions } from '../../apps/api/src/api-options.js';
import type { TranscriptDownloadUrlService } from '../../apps/api/src/transcripts/transcript-download-url.service.js';
import type { JobEventWatcher } from '../../apps/api/src/streaming/job-event-watcher.js';
import { JobStreamService } from '../../apps/api/src/streaming/job-stream.js';
import { StreamAdmissionQueue } from '../../apps/api/src/streaming/stream-admission-queue.js';
import { createJobWorld, type World } from '../support/job-world.js';

const options = { streams: { maxConcurrent: 5, heartbeatSeconds: 60, waitingSeconds: 1 } } as ApiOptions;

let world: World;
beforeAll(async () => void (world = await createJobWorld()));
afterAll(() => world.close());

/** Job streams whose first download URLs cannot be signed. */
function createStream(failures: number, error: Error): JobStreamService {
  const createDownloadUrl = () =>
    failures-- > 0 ? Promise.reject(error) : Promise.resolve('https://example.com/t');
  return new JobStreamService(
    world.dataSource,
    { watch: () => NEVER } as unknown as JobEventWatcher,
    new StreamAdmissionQueue(options),
    { forCompletedJob: createDownloadUrl } as unknown as TranscriptDownloadUrlService,
    options,
  );
}

async function readEvents(jobId: string, failures: number, error: Error): Promise<MessageEvent[]> {
  const stream = createStream(failures, error);
  return lastValueFrom((await stream.open(world.accountId, jobId, undefined)).pipe(toArray()));
}

async function createCompletedJob(): Promise<string> {
  const id = await world.newJob();
  await inTransaction(world.dataSource, (tx) =>
    endJob(tx, world.hooks, id, { status: 'completed', resultKey: 'transcripts/t' }),
  );
  return id;
}

describe('the event stream of a completed job', () => {
  it('the stream sends the completed event once, also when a dependency fails for a moment', async () => {
    const id = await createCompletedJob();
    const events = await readEvents(id, 1, new StoreUnavailableError('away'));
    expect(events).toEqual([
      {
        type: 'completed',
        id: '1',
        data: { job_id: id, download_url: 'https://example.com/t', output_type: 'json' },
      },
    ]);
  });

  it('the stream ends without an event, to be resumed, when the event can never be built', async () => {
    expect(await readEvents(await createCompletedJob(), 1_000, new Error('defect'))).toEqual([]);
  });

  it('the stream fails instead of ending when the message after completed cannot be created', async () => {
    const jobId = await createCompletedJob();
    const received: MessageEvent[] = [];
    const followed = createStream(0, new Error('unused')).followInPool({
      accountId: world.accountId,
      jobId,
      afterSeq: 0,
      createMessageAfterCompleted: () => Promise.reject(new Error('the transcript cannot be read')),
    });
    await expect(lastValueFrom(followed.pipe(tap((event) => received.push(event))))).rejects.toThrow(
      'the transcript cannot be read',
    );
    expect(received.map(({ type }) => type)).toEqual(['completed']);
  });
});
