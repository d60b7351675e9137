import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpload, FakeUploadEnvironment, WAIT_OPTIONS } from './testing/fake-upload-environment.ts';
import { stopUploadsAndDeleteUploadDatabase } from './upload-database.ts';
import { UploadManager } from './upload-manager.ts';

const SECOND_MS = 1_000;
const setRealTimeout = setTimeout;
const MAX_SECONDS = 1_000;

let environment: FakeUploadEnvironment;
let manager: UploadManager;

const openTab = () => new UploadManager({ readOwner: () => environment.owner, onSessionChanged: vi.fn() });
const readState = ({ getViews } = manager) => getViews()[0]?.state;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  environment = new FakeUploadEnvironment();
  environment.install();
  manager = openTab();
  environment.statusOfPart = () => 503;
  await manager.add([createUpload('talk.wav')]);
  for (let seconds = 0; readState() !== 'stopped' && seconds < MAX_SECONDS; seconds += 1) {
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    // What does not wait for a timer takes no time on this clock.
    await new Promise((resolve) => setRealTimeout(resolve));
  }
  expect(readState()).toBe('stopped');
  environment.statusOfPart = () => 200;
});

afterEach(() => {
  vi.useRealTimers();
  stopUploadsAndDeleteUploadDatabase();
  vi.unstubAllGlobals();
});

describe('an upload that was stopped by a service that was not available', () => {
  it.each(['online', 'visibilitychange'])('goes on after the event %s', async (name) => {
    environment.window.dispatchEvent(new Event(name));
    await vi.waitFor(() => expect(readState()).toBe('sent'), WAIT_OPTIONS);
  });

  it('goes on after three minutes', async () => {
    await vi.advanceTimersByTimeAsync(170 * SECOND_MS);
    expect(readState()).toBe('stopped');
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    await vi.waitFor(() => expect(readState()).toBe('sent'), WAIT_OPTIONS);
  });

  it('goes on when the tab is loaded again', async () => {
    const tab = openTab();
    await tab.open();
    await vi.waitFor(() => expect(readState(tab)).toBe('sent'), WAIT_OPTIONS);
  });

  it('stays paused if the user pauses it', async () => {
    manager.pause(manager.getViews()[0]?.id ?? '');
    environment.window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(200 * SECOND_MS);
    expect(readState()).toBe('paused');
  });
});

it('an upload that was stopped because credits are missing waits for the user', async () => {
  const readSecond = ({ getViews } = manager) =>
    getViews().find(({ fileName }) => fileName === 'second.wav')?.state;
  vi.stubGlobal('fetch', async () =>
    Response.json({ code: 'insufficient_credits', detail: 'None.' }, { status: 402 }),
  );
  await manager.add([createUpload('second.wav')]);
  await vi.waitFor(() => expect(readSecond()).toBe('stopped'), WAIT_OPTIONS);
  environment.window.dispatchEvent(new Event('online'));
  expect(readSecond()).toBe('stopped');
  const tab = openTab();
  await tab.open();
  expect(readSecond(tab)).toBe('stopped');
});
