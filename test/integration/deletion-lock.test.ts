import { DeletionPause, DeletionsInProgressError, withDeletionLock } from '@app/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAudioDeletion } from '../../apps/processor/src/maintenance/audio-deletion.js';
import { type ThrowawayStore, throwawayStore } from '../support/file-store.js';
import { gate } from '../support/gate.js';
import { jobWorld, type World } from '../support/job-world.js';

const never = new AbortController().signal;
const noWait = { maxWaitSeconds: 1, onWait: () => undefined };

let world: World;
let files: ThrowawayStore;
beforeAll(async () => {
  [world, files] = await Promise.all([jobWorld(), throwawayStore()]);
});
afterAll(async () => {
  await files.close();
  await world.close();
});

const deleted = (what: 'audio' | 'transcripts') =>
  withDeletionLock(world.dataSource, what, never, () => Promise.resolve());

describe('a backup', () => {
  it('holds deletions back until it has read what it needs, kind by kind', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    expect([await deleted('audio'), await deleted('transcripts')]).toEqual([false, false]);
    await pause.release('audio');
    expect([await deleted('audio'), await deleted('transcripts')]).toEqual([true, false]);
    await pause.close();
    expect(await deleted('transcripts')).toBe(true);
  });

  it('waits for the deletions of every process that are under way', async () => {
    const [begun, end] = [gate(), gate()];
    const deleting = withDeletionLock(world.dataSource, 'audio', never, async () => {
      begun.open();
      await end.opened;
    });
    await begun.opened;
    expect(await deleted('audio')).toBe(true);
    const pausing = DeletionPause.begin(world.url, { maxWaitSeconds: 60, onWait: () => end.open() });
    const pause = await pausing;
    expect(await deleting).toBe(true);
    await pause.close();
  });

  it('is refused while another one is at work', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    await expect(DeletionPause.begin(world.url, noWait)).rejects.toThrow(DeletionsInProgressError);
    await pause.close();
  });

  it('that dies holds nothing back any more, and one that lost its connection is told', async () => {
    const pause = await DeletionPause.begin(world.url, noWait);
    await world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'zephyr-backup-lock'`,
    );
    await expect.poll(() => deleted('audio')).toBe(true);
    await expect.poll(() => pause.connectionLost.aborted).toBe(true);
    await pause.close();
  });

  it('keeps the audio of jobs that end meanwhile, which is deleted afterwards', async () => {
    const id = await world.newJob();
    await files.put(`audio/${id}`);
    await world.rows(
      `UPDATE job SET status = 'completed', result_key = 'k', finished_at = now() WHERE id = $1`,
      id,
    );
    const audio = createAudioDeletion(world.dataSource, files.store, 1);
    const pause = await DeletionPause.begin(world.url, noWait);
    expect(await audio.runBatch(never)).toBe(false);
    expect(await files.keys('audio/')).toEqual([`audio/${id}`]);
    await pause.close();
    await audio.runBatch(never);
    expect(await files.keys('audio/')).toEqual([]);
  });
});

it('deletions that lose their lock are told to end', async () => {
  const lost = withDeletionLock(world.dataSource, 'audio', never, async (stop) => {
    await world.rows(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    await expect.poll(() => stop.aborted).toBe(true);
    stop.throwIfAborted();
  });
  await expect(lost).rejects.toThrow();
});
