import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reloadOnJobEvents } from './reload-on-job-events.ts';

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;

  constructor() {
    super();
    streams.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }

  refuse(): void {
    this.close();
    this.dispatchEvent(new Event('error'));
  }
}

let streams: FakeEventSource[];
let requests: number;
let answerRequest: (() => void) | null;
let end: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  vi.stubGlobal('navigator', {});
  streams = [];
  requests = 0;
  end = reloadOnJobEvents('job', () => {
    requests += 1;
    return answerRequest === null ? Promise.resolve() : new Promise((resolve) => (answerRequest = resolve));
  });
  answerRequest = null;
  await vi.advanceTimersByTimeAsync(0);
});

afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function sendEvents(count: number): void {
  for (let sent = 0; sent < count; sent += 1) streams.at(-1)?.dispatchEvent(new Event('progress'));
}

describe('the events of a job', () => {
  it('that are replayed at once load it twice: at the first of them, and after the last', async () => {
    sendEvents(200);
    expect(requests).toBe(1);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toBe(2);
  });

  it('load it once a second while they go on', async () => {
    for (let tenths = 0; tenths < 600; tenths += 1) {
      sendEvents(1);
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(requests).toBeGreaterThan(50);
    expect(requests).toBeLessThanOrEqual(61);
  });

  it('load it again only after the response to the request before', async () => {
    answerRequest = () => undefined;
    sendEvents(1);
    await vi.advanceTimersByTimeAsync(5_000);
    sendEvents(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(requests).toBe(1);
    answerRequest();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(requests).toBe(2);
  });

  it('load nothing after the end', async () => {
    sendEvents(2);
    end();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toBe(1);
  });
});

describe('a refused stream', () => {
  it('is opened again every five seconds, and the job is loaded each time', async () => {
    streams.at(-1)?.refuse();
    expect(requests).toBe(1);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(streams).toHaveLength(2);
    streams.at(-1)?.refuse();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([streams.length, requests]).toEqual([3, 2]);
    sendEvents(1);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([streams.length, requests]).toEqual([3, 3]);
  });

  it('is not opened after the end', async () => {
    streams.at(-1)?.refuse();
    end();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(streams).toHaveLength(1);
  });
});
