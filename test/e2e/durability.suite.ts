import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInvariantViolations } from '../support/invariants/find-invariant-violations.js';
import { type StoredObjects, inspectFileStore } from '../support/invariants/stored-objects.js';
import { ObservationRecorder } from '../support/invariants/observation-recorder.js';
import { type Bytes, silentWav, synthesizeSpeech, splitWords } from './support/audio.js';
import { type Client, type CreatedJob, expectStatus, type JobEvent } from './support/client.js';
import { expectTranscriptDocument } from './support/transcript-document.js';
import { expectContiguous, followThroughDisconnects, isTerminal } from './support/events.js';
import { collectMessages, transcribeStreamed } from './support/streamed-transcription.js';
import { submitJobRequest, submitConcurrently } from './support/job-requests.js';
import { Service } from './support/service.js';
import type { Dependencies } from './support/dependencies.js';
import { until } from './support/until.js';

const TEXT = 'There are ninety tables between the office and the bridge.';

const FAST_DETECTION_SETTINGS = {
  LEASE_SECONDS: '3',
  SWEEP_SECONDS: '1',
  REDELIVER_SECONDS: '5',
  CHUNK_SECONDS: '10',
  CHUNK_MAX_SECONDS: '20',
  SMALL_FILE_BYTES: '1024',
  SHUTDOWN_SECONDS: '10',
};

/** A processor that is killed while it deletes audio has claimed the deletion for 60 s. */
const AUDIO_DELETION_MS = 100_000;

interface Recording {
  bytes: Bytes;
  /** The minimum number of words of a complete transcript. */
  words: number;
}

export function describeDurability(
  startDependencies: () => Promise<Dependencies>,
  createLongRecording: () => Promise<Recording>,
): void {
  let dependencies: Dependencies;
  let service: Service;
  let client: Client;
  let long: Recording;
  let audio: Bytes;
  let short: Bytes;

  beforeAll(async () => {
    dependencies = await startDependencies();
    long = await createLongRecording();
    audio = await synthesizeSpeech(`${TEXT} `.repeat(4));
    short = await synthesizeSpeech(TEXT);
    service = await Service.startEmbedded({ ...dependencies.env, ...FAST_DETECTION_SETTINGS });
    client = await service.client();
  });
  afterAll(async () => {
    await service?.stop();
    await dependencies?.remove();
  });

  /** The job completed once, with one complete transcript. */
  const expectDone = async ({ job_id, download_url }: CreatedJob, words: number) => {
    expectContiguous(await client.events(job_id));
    const { events } = await service.adminJson<{ events: { type: string }[] }>(
      'jobs',
      'show',
      job_id,
      '--json',
    );
    expect(events.filter(({ type }) => type !== 'progress').map(({ type }) => type)).toEqual(['completed']);
    const { text } = expectTranscriptDocument((await client.download(download_url)).text, job_id);
    expect(splitWords(text).length).toBeGreaterThanOrEqual(words);
  };

  describe('guarantee 2: every accepted job ends once', () => {
    it('a job completes once although its processor is killed with SIGKILL', async () => {
      const created = await client.submit(long.bytes);
      let killed = 0;
      const events = await followThroughDisconnects(client, created.job_id, async (count) => {
        if (count === 2) killed = await service.kill('processor', 'SIGKILL');
      });
      expect(killed).toBeGreaterThan(0);
      expectContiguous(events);
      expect(await service.pidOf('processor')).not.toBe(killed);
      await expectDone(created, long.words);
    });
  });

  describe('guarantees 1 and 6: acknowledged requests persist and streams continue', () => {
    it('an upload and its stream survive SIGKILL of the API', async () => {
      const created = await client.upload(short);
      await service.kill('api', 'SIGKILL');
      const { status } = await until('the complete call succeeds', async () =>
        expectStatus<{ status: string }>(200, await client.complete(created.job_id)),
      );
      expect(status).toBe('queued');
      let kills = 0;
      const events = await followThroughDisconnects(client, created.job_id, async (count) => {
        if (count === 1) kills += Number((await service.kill('api', 'SIGKILL')) > 0);
      });
      expect(kills).toBe(1);
      expectContiguous(events);
      await until('the service is ready', async () => (await fetch(`${service.baseUrl}/health/ready`)).ok);
      await expectDone(created, 10);
    });

    it('a queued job completes after all processes are killed with SIGKILL and restarted', async () => {
      const pending = await client.upload(short);
      const created = await client.submit(short);
      await service.killAll();
      await service.restart();
      expect((await client.events(created.job_id)).at(-1)?.name).toBe('completed');
      await expectDone(created, 10);
      expect(expectStatus(200, await client.complete(pending.job_id))).toEqual({ status: 'queued' });
      expect((await client.events(pending.job_id)).at(-1)?.name).toBe('completed');
    });
  });

  describe('guarantee 8: SIGTERM shuts down gracefully', () => {
    it('with open streams and a running job all processes exit, the launcher with 0, and the job continues after a restart', async () => {
      const created = await client.submit(audio);
      const pending = await client.create({ file_size: 10 });
      const signal = AbortSignal.timeout(90_000);
      const idleStream = client.events(pending.job_id, { signal });
      const eventsBeforeCut: JobEvent[] = [];
      const running = (async () => {
        for await (const event of client.stream(created.job_id, { lastEventId: '0', signal }))
          if (event.name) eventsBeforeCut.push(event);
      })();
      const interrupted = collectMessages(await transcribeStreamed(client, audio)).catch(
        (error: unknown) => error,
      );
      await until('the job runs', () => eventsBeforeCut.length > 0);

      expect(await service.terminate()).toEqual({ code: 0, signal: null });
      expect(await idleStream).toEqual([]);
      await running;
      expect(eventsBeforeCut.some(isTerminal)).toBe(false);
      expect(await interrupted).toMatchObject({ code: 'ECONNRESET' });
      await service.waitUntilAllExited();

      await service.restart();
      const eventsAfterCut = await client.events(created.job_id, {
        lastEventId: eventsBeforeCut.at(-1)?.id ?? '',
      });
      expectContiguous([...eventsBeforeCut, ...eventsAfterCut]);
      await expectDone(created, 20);
      expectStatus(200, await client.post('/jobs/cancel', { job_id: pending.job_id }));
    });
  });

  describe('guarantees 1 to 5, verified in rows and objects', () => {
    const options = { timeout: AUDIO_DELETION_MS + 120_000 };
    it('a dozen creates while API and processor are killed keep all invariants', options, async () => {
      const observations = new ObservationRecorder();
      const jobRequests = Array.from({ length: 12 }, (_, index) => ({
        name: `order-${index}`,
        bytes: silentWav(0.5),
        options: {},
      }));
      const submissions = submitConcurrently(jobRequests, 4, (order) =>
        submitJobRequest(client, order, observations),
      );
      await until('half of them are made', () => observations.jobs.length >= jobRequests.length / 2);
      await Promise.all([service.kill('api', 'SIGKILL'), service.kill('processor', 'SIGKILL')]);
      await submissions;

      const database = new pg.Pool({ connectionString: await service.databaseUrl(), max: 2 });
      try {
        // Incomplete files remain for a while, because the store cannot detect that their writer was killed.
        const stored: StoredObjects = {
          ...inspectFileStore(join(service.dataDir, 'objects')),
          listLeftovers: () => Promise.resolve([]),
        };
        const findViolations = () => findInvariantViolations({ database, stored, observations });
        await until(
          'every invariant holds',
          async () => (await findViolations()).length === 0,
          AUDIO_DELETION_MS,
        ).catch(() => undefined);
        expect(await findViolations()).toEqual([]);
      } finally {
        await database.end();
      }
    });
  });
}
