import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADA, createUpload, FakeUploadEnvironment, WAIT_OPTIONS } from './testing/fake-upload-environment.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import { UploadManager } from './upload-manager.ts';

let environment: FakeUploadEnvironment;
let manager: UploadManager;

const openTab = () => new UploadManager({ readOwner: () => environment.owner, onSessionChanged: vi.fn() });
const countStored = () => environment.database.items['uploads']?.size;

beforeEach(() => {
  environment = new FakeUploadEnvironment();
  environment.install();
  manager = openTab();
});

afterEach(() => {
  vi.useRealTimers();
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

/** An upload whose second part is on its way. */
async function sendUpload(): Promise<string> {
  const upload = createUpload('talk.wav');
  environment.holdPart(`${upload.record.id}/1`);
  await manager.add([upload]);
  await environment.untilPartIsSent(`${upload.record.id}/1`);
  return upload.record.id;
}

describe('an upload that is removed', () => {
  it('while its job is being created ends the job', async () => {
    let create = () => {};
    environment.creation = new Promise((resolve) => (create = resolve));
    const upload = createUpload('talk.wav');
    await manager.add([upload]);
    await vi.waitFor(() => expect(environment.idempotencyKeys).toHaveLength(1), WAIT_OPTIONS);
    await manager.remove(upload.record.id);
    expect(environment.aborted).toEqual([]);
    create();
    await vi.waitFor(() => expect(environment.aborted).toEqual([`job-of-${upload.record.id}`]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(environment.sentParts).toEqual([]);
  });

  it('ends its job with another attempt after a 503', async () => {
    const id = await sendUpload();
    environment.abortStatuses.push(503);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await manager.remove(id);
    expect(manager.getViews()).toEqual([]);
    expect(environment.database.items['files']?.size).toBe(0);
    await vi.waitFor(() => expect(environment.aborted).toHaveLength(1), WAIT_OPTIONS);
    await vi.advanceTimersByTimeAsync(1_000);
    await vi.waitFor(
      () => expect(environment.aborted).toEqual([`job-of-${id}`, `job-of-${id}`]),
      WAIT_OPTIONS,
    );
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
  });

  it('while the session is of another account ends its job when the uploads are opened again', async () => {
    const id = await sendUpload();
    environment.owner = null;
    await manager.remove(id);
    expect(environment.aborted).toEqual([]);
    environment.owner = ADA;
    const tab = openTab();
    await tab.open();
    expect(tab.getViews()).toEqual([]);
    await vi.waitFor(() => expect(environment.aborted).toEqual([`job-of-${id}`]), WAIT_OPTIONS);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
  });

  it('is not tried again when its job does not exist', async () => {
    const id = await sendUpload();
    environment.abortStatuses.push(404);
    await manager.remove(id);
    await vi.waitFor(() => expect(countStored()).toBe(0), WAIT_OPTIONS);
    expect(environment.aborted).toEqual([`job-of-${id}`]);
  });
});
