import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isMicrophoneRecording, MicrophoneRecording } from './microphone-recording.ts';

class FakeMediaRecorder extends EventTarget {
  mimeType = 'audio/webm;codecs=opus';

  start(): void {
    if (isBroken) throw new Error('No encoder.');
    runningRecorders += 1;
  }

  stop(): void {
    runningRecorders -= 1;
    this.dispatchEvent(Object.assign(new Event('dataavailable'), { data: new Blob(['sound']) }));
    this.dispatchEvent(new Event('stop'));
  }
}

let runningRecorders: number;
let openTracks: number;
let isBroken: boolean;
let allow: () => void;
let files: File[];
let recording: MicrophoneRecording;

beforeEach(() => {
  [runningRecorders, openTracks, isBroken, files] = [0, 0, false, []];
  recording = new MicrophoneRecording();
  const getUserMedia = () =>
    new Promise((resolve) => {
      allow = () => {
        openTracks += 1;
        resolve({ getTracks: () => [{ stop: () => (openTracks -= 1) }] });
      };
    });
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia } });
  vi.stubGlobal('MediaRecorder', FakeMediaRecorder);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const start = () => recording.start((file) => files.push(file));

it('a recording becomes a file when it is stopped', async () => {
  const started = start();
  allow();
  expect(await started).toBe(true);
  expect([recording.isActive, runningRecorders, openTracks]).toEqual([true, 1, 1]);
  recording.stop();
  expect([recording.isActive, runningRecorders, openTracks]).toEqual([false, 0, 0]);
  expect(files).toMatchObject([
    { size: 5, type: 'audio/webm', name: expect.stringMatching(/\.webm$/) as string },
  ]);
});

it('a second start before the microphone is allowed begins no second recording', async () => {
  const first = start();
  const allowFirst = allow;
  const second = start();
  allowFirst();
  allow();
  expect(await Promise.all([first, second])).toEqual([true, false]);
  expect(runningRecorders).toBe(1);
  recording.stop();
  expect([runningRecorders, files.length]).toEqual([0, 1]);
});

it('nothing is recorded if it is stopped before the microphone is allowed', async () => {
  const started = start();
  recording.stop();
  allow();
  expect(await started).toBe(false);
  expect([recording.isActive, runningRecorders, openTracks, files.length]).toEqual([false, 0, 0, 0]);
});

it('the microphone is off and can be used again after an error of the recorder', async () => {
  isBroken = true;
  const failed = start();
  allow();
  await expect(failed).rejects.toThrow('No encoder.');
  expect([recording.isActive, openTracks]).toEqual([false, 0]);
  isBroken = false;
  const started = start();
  allow();
  expect(await started).toBe(true);
});

it('a recording is named by the time of the reader, and is known as one', async () => {
  vi.stubEnv('TZ', 'Pacific/Auckland');
  vi.useFakeTimers({ now: Date.UTC(2026, 1, 28, 20, 5), toFake: ['Date'] });
  const started = start();
  allow();
  await started;
  recording.stop();
  expect(files.map(({ name }) => name)).toEqual(['recording 2026-03-01 09-05.webm']);
  expect(files.map(isMicrophoneRecording)).toEqual([true]);
  expect(isMicrophoneRecording(new File(['sound'], 'talk.wav'))).toBe(false);
});
