import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, RateLimitError } from '../errors.js';
import {
  connectionFailureHandler,
  FakeService,
  createSequentialHandler,
  createProblemResponse,
} from '../testing/fake-service.js';
import { getRetryDelayMs, isRetryable, withRetries } from './retry.js';

const refusal = (status: number, code: string, retryAfter?: string) =>
  new ApiError(
    status,
    { code: code as never },
    new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  );

describe('the delay before a retry', () => {
  it('is at least what Retry-After says, and at most a fifth and half a second longer', () => {
    const error = refusal(429, 'rate_limit_exceeded', '10');
    expect(getRetryDelayMs(0, error, () => 0)).toBe(10_000);
    expect(getRetryDelayMs(5, error, () => 1)).toBe(12_500);
  });

  it('doubles to eight seconds without Retry-After, and a random half is left out', () => {
    const delays = (random: number) =>
      [0, 1, 2, 10].map((n) => getRetryDelayMs(n, new ConnectionError(), () => random));
    expect(delays(1)).toEqual([500, 1000, 2000, 8000]);
    expect(delays(0)).toEqual([250, 500, 1000, 4000]);
  });

  it('understands a date in Retry-After', () => {
    const inAMinute = new Date(Date.now() + 60_000).toUTCString();
    expect(refusal(503, 'service_unavailable', inAMinute).retryAfterSeconds).toBeGreaterThan(55);
  });
});

describe('a failure', () => {
  it.each([
    [408, 'request_timeout', true],
    [409, 'idempotency_key_in_use', true],
    [409, 'conflict', false],
    [422, 'validation_failed', false],
    [402, 'insufficient_credits', false],
    [429, 'rate_limit_exceeded', true],
    [500, 'internal_error', true],
    [503, 'service_unavailable', true],
    [502, 'unknown', true],
  ])('with %i %s is retried: %s', (status, code, expected) => {
    expect(isRetryable(refusal(status, code))).toBe(expected);
  });

  it('is not retried when the service wants a pause of more than two minutes', () => {
    expect(isRetryable(refusal(503, 'service_unavailable', '3600'))).toBe(false);
  });

  it('is thrown after the retries', async () => {
    let attempts = 0;
    const failing = withRetries(
      () => {
        attempts++;
        return Promise.reject(refusal(429, 'rate_limit_exceeded', '0'));
      },
      { maxRetries: 2, random: () => 0 },
    );
    await expect(failing).rejects.toThrow('rate_limit_exceeded');
    expect(attempts).toBe(3);
  });
});

describe('a request of the client', () => {
  it('is repeated after a lost connection and a 503, and then succeeds', async () => {
    const service = new FakeService({
      'GET /api/v1/jobs/j': createSequentialHandler(
        connectionFailureHandler,
        () => createProblemResponse(503, 'service_unavailable', { 'retry-after': '0' }),
        () => Response.json({ job_id: 'j', status: 'processing' }),
      ),
    });
    await expect(service.client().jobs.get('j')).resolves.toMatchObject({ status: 'processing' });
    expect(service.lines).toHaveLength(3);
  });

  it('throws an error with status, code and request_id', async () => {
    const service = new FakeService({
      'GET /api/v1/account': () => createProblemResponse(429, 'rate_limit_exceeded', { 'retry-after': '0' }),
    });
    const error: unknown = await service
      .client({ maxRetries: 0 })
      .account()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ status: 429, code: 'rate_limit_exceeded', request_id: 'request-1' });
  });

  it('ends a pause between attempts when its signal aborts', async () => {
    const abort = new AbortController();
    const service = new FakeService({
      'GET /api/v1/account': () => {
        setTimeout(() => abort.abort(new Error('enough')), 10);
        return createProblemResponse(503, 'service_unavailable', { 'retry-after': '60' });
      },
    });
    await expect(service.client().account({ signal: abort.signal })).rejects.toThrow('enough');
    expect(service.lines).toHaveLength(1);
  });

  it('is given up after timeoutMs without a response', async () => {
    const hang = (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(init.signal?.reason as Error)),
      );
    const client = new FakeService({}).client({ fetch: hang as typeof fetch, timeoutMs: 20, maxRetries: 0 });
    await expect(client.account()).rejects.toThrow('No response for 20 ms.');
  });
});

describe('new Zephyr', () => {
  it.each([
    [{ baseUrl: 'zephyr.example.com' }, 'baseUrl must be an http or https URL, not zephyr.example.com.'],
    [{ apiKey: 'a\nb' }, 'apiKey must be'],
    [{ maxRetries: -1 }, 'maxRetries must be an integer of at least 0, not -1.'],
    [{ timeoutMs: 0.5 }, 'timeoutMs must be an integer of at least 1, not 0.5.'],
  ])('refuses %j', (options, message) => {
    expect(() => new FakeService({}).client(options)).toThrow(message);
  });

  it('keeps the path of a service behind a prefix', async () => {
    const service = new FakeService({ 'GET /stt/api/v1/account': () => Response.json({ name: 'x' }) });
    await expect(service.client({ baseUrl: 'http://fake/stt' }).account()).resolves.toEqual({ name: 'x' });
  });
});
