import { DeletionPause, DeletionsInProgressError, deleteUnlessBackupRuns } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AudioAndIntermediateObjectDeletion } from '../../apps/processor/src/maintenance/audio-and-intermediate-object-deletion.js';
import { type ThrowawayStore, createThrowawayStore } from '../support/throwaway-store.js';
import { createDeferred } from '../support/deferred.js';
import { countDependentSignals } from '../support/dependent-signals.js';
import { createJobWorld, type World } from '../support/job-world.js';

const neverAborted = new AbortController().signal;
const noWait = { maxWaitSeconds: 1, onWait: () => undefined };

let world: World;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([createJobWorld(), createThrowawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

const tryDelete = (what: 'audio' | 'transcripts') =>
  deleteUnlessBackupRuns(world.dataSource, what, neverAborted, () => Promise.resolve());

describe('the deletion lock', () => {
  it('a backup blocks deletions of each kind until it has read that kind', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    expect([await tryDelete('audio'), await tryDelete('transcripts')]).toEqual([false, false]);
    await pause.release('audio');
    expect([await tryDelete('audio'), await tryDelete('transcripts')]).toEqual([true, false]);
    await pause.close();
    expect(await tryDelete('transcripts')).toBe(true);
  });

  it('a backup waits for running deletions of every process', async () => {
    const [started, end] = [createDeferred(), createDeferred()];
    const deleting = deleteUnlessBackupRuns(world.dataSource, 'audio', neverAborted, async () => {
      started.resolve();
      await end.promise;
    });
    await started.promise;
    expect(await tryDelete('audio')).toBe(true);
    const pausing = DeletionPause.begin(world.url, { maxWaitSeconds: 60, onWait: () => end.resolve() });
    const pause = await pausing;
    expect(await deleting).toBe(true);
    await pause.close();
  });

  it('a deletion is stopped with its processor, and leaves nothing in the signal of the processor', async () => {
    const stop = new AbortController();
    const deleting = deleteUnlessBackupRuns(world.dataSource, 'audio', stop.signal, async (until) => {
      expect(until.aborted).toBe(false);
      stop.abort('closing');
      expect(until.reason).toBe('closing');
    });
    expect(await deleting).toBe(true);
    expect(countDependentSignals(stop.signal)).toBe(0);
  });

  it('a second backup is rejected while one is running', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    await expect(DeletionPause.begin(world.url, noWait)).rejects.toThrow(DeletionsInProgressError);
    await pause.close();
  });

  it('the lock of a dead backup is released, and a backup that loses its connection is notified', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    await world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'zephyr-backup-lock'`,
    );
    await expect.poll(() => tryDelete('audio')).toBe(true);
    await expect.poll(() => pause.connectionLost.aborted).toBe(true);
    await pause.close();
  });

  it('the audio of a job that ends during a backup is deleted after the backup', async () => {
    const id = await world.newJob();
    await files.putBytes(`audio/${id}`);
    await world.rows(
      `UPDATE job SET status = 'completed', result_key = 'k', finished_at = now() WHERE id = $1`,
      id,
    );
    const audio = new AudioAndIntermediateObjectDeletion(world.dataSource, files.store, { graceSeconds: 1 });
    const pause = await DeletionPause.begin(world.url, noWait);
    expect(await audio.runBatch(neverAborted)).toBe(false);
    expect(await files.listKeys('audio/')).toEqual([`audio/${id}`]);
    await pause.close();
    await audio.runBatch(neverAborted);
    expect(await files.listKeys('audio/')).toEqual([]);
  });
});

it('a deletion that loses its lock is aborted', async () => {
  const deletion = deleteUnlessBackupRuns(world.dataSource, 'audio', neverAborted, async (stop) => {
    await world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect.poll(() => stop.aborted).toBe(true);
    stop.throwIfAborted();
  });
  await expect(deletion).rejects.toThrow();
});
