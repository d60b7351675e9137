import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PartUploadError, sendPart } from './send-part.ts';

/** A request whose events the test dispatches. */
class FakeRequest extends EventTarget {
  static last: FakeRequest | undefined;
  readonly upload = new EventTarget();
  status = 0;
  responseText = '';
  readonly open = vi.fn();
  readonly send = vi.fn();

  constructor() {
    super();
    FakeRequest.last = this;
  }

  abort(): void {
    this.dispatchEvent(new Event('abort'));
    this.dispatchEvent(new Event('loadend'));
  }

  getResponseHeader(name: string): string | null {
    return name === 'etag' && this.status === 200 ? '"e"' : null;
  }
}

const MINUTE_MS = 60_000;
const onProgress = vi.fn();

function send(signal = new AbortController().signal) {
  const sent = sendPart('https://store.example/part', new Blob(['bytes']), { signal, onProgress });
  sent.catch(() => undefined);
  return { sent, request: FakeRequest.last ?? expect.unreachable('no request') };
}
const progress = (loaded: number) => Object.assign(new Event('progress'), { loaded });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('sendPart', () => {
  it('gives a part up that has made no progress for a minute, so that it is sent again', async () => {
    const { sent, request } = send();
    vi.advanceTimersByTime(MINUTE_MS - 1);
    request.upload.dispatchEvent(progress(3));
    expect(onProgress).toHaveBeenLastCalledWith(3);
    vi.advanceTimersByTime(MINUTE_MS - 1);
    const settled = vi.fn();
    void sent.catch(settled);
    await Promise.resolve();
    expect(settled).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    await expect(sent).rejects.toEqual(new PartUploadError(0));
  });

  it('waits three minutes for the response to a part that is sent, before it is sent again', async () => {
    const { sent, request } = send();
    request.upload.dispatchEvent(progress(5));
    request.upload.dispatchEvent(new Event('load'));
    const settled = vi.fn();
    void sent.catch(settled);
    await vi.advanceTimersByTimeAsync(3 * MINUTE_MS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await expect(sent).rejects.toEqual(new PartUploadError(0));
  });

  it('says what the store has answered', async () => {
    const { sent, request } = send();
    request.status = 400;
    request.responseText = '<Error><Code>RequestTimeout</Code><Message>…</Message></Error>';
    request.dispatchEvent(new Event('load'));
    request.dispatchEvent(new Event('loadend'));
    await expect(sent).rejects.toMatchObject({ status: 400, storeCode: 'RequestTimeout' });
  });

  it('leaves no timer behind when a part was stored or its upload was ended', async () => {
    const { sent, request } = send();
    request.status = 200;
    request.dispatchEvent(new Event('load'));
    request.dispatchEvent(new Event('loadend'));
    expect(await sent).toBe('"e"');
    expect(vi.getTimerCount()).toBe(0);
    const reason = new Error('ended');
    const ended = new AbortController();
    const second = send(ended.signal);
    ended.abort(reason);
    await expect(second.sent).rejects.toBe(reason);
    await expect(send(ended.signal).sent).rejects.toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
  });
});
