import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEventStream } from './open-event-stream.ts';

class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readyState = 1;

  constructor(readonly url: URL) {
    super();
    streams.push(this);
  }

  close(): void {
    this.readyState = FakeEventSource.CLOSED;
  }
}

/** Of all tabs of a browser. */
class FakeLocks {
  private readonly held = new Set<string>();

  async request(name: string, _: object, hold: (lock: object | null) => unknown): Promise<void> {
    if (this.held.has(name)) return void (await hold(null));
    this.held.add(name);
    await hold({ name });
    this.held.delete(name);
  }
}

let streams: FakeEventSource[];
let refusals: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  vi.stubGlobal('document', { baseURI: 'https://service.example/console/' });
  streams = [];
  refusals = 0;
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const untilSettled = () => vi.advanceTimersByTimeAsync(0);
const open = (listeners: Record<string, (event: MessageEvent<string>) => void> = {}) =>
  openEventStream('a/b', listeners, () => {
    refusals += 1;
  });

describe.each([
  ['with locks', () => ({ locks: new FakeLocks() })],
  ['without locks', () => ({})],
])('an event stream in a browser %s', (_, createNavigator) => {
  let closes: (() => void)[];

  beforeEach(() => {
    vi.stubGlobal('navigator', createNavigator());
    closes = [];
  });

  afterEach(async () => {
    for (const close of closes) close();
    await untilSettled();
  });

  it('passes on the events of its job', async () => {
    const received: string[] = [];
    closes.push(open({ progress: ({ data }) => received.push(data) }));
    await untilSettled();
    streams[0]?.dispatchEvent(new MessageEvent('progress', { data: '{}' }));
    expect(received).toEqual(['{}']);
    expect(String(streams[0]?.url)).toBe('https://service.example/console/api/jobs/a%2Fb/stream');
  });

  it('is refused if two are open', async () => {
    closes.push(open(), open(), open());
    await untilSettled();
    expect([streams.length, refusals]).toEqual([2, 1]);
  });

  it('gives its place to another one when it is closed, once', async () => {
    closes.push(open(), open());
    await untilSettled();
    closes[0]?.();
    await untilSettled();
    expect(streams[0]?.readyState).toBe(FakeEventSource.CLOSED);
    closes.push(open());
    await untilSettled();
    closes[0]?.();
    closes.push(open());
    await untilSettled();
    expect([streams.length, refusals]).toEqual([3, 1]);
  });

  it('gives its place to another one when its response is an error', async () => {
    closes.push(open(), open());
    await untilSettled();
    streams[0]?.close();
    streams[0]?.dispatchEvent(new Event('error'));
    expect(refusals).toBe(1);
    await untilSettled();
    closes.push(open());
    await untilSettled();
    expect([streams.length, refusals]).toEqual([3, 1]);
  });

  it('stays while the browser connects again', async () => {
    closes.push(open());
    await untilSettled();
    streams[0]?.dispatchEvent(new Event('error'));
    expect(refusals).toBe(0);
    expect(streams[0]?.readyState).not.toBe(FakeEventSource.CLOSED);
  });

  it('is not opened, and takes no place, if it is closed before', async () => {
    open()();
    await untilSettled();
    closes.push(open(), open());
    await untilSettled();
    expect([streams.length, refusals]).toEqual([2, 0]);
  });
});
