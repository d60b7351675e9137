import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, WrongServerError, RateLimitError } from '../errors.js';
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

  it('grows also when Retry-After is shorter', () => {
    const error = refusal(429, 'concurrency_limit_exceeded', '1');
    expect([0, 1, 2, 10].map((n) => getRetryDelayMs(n, error, () => 0))).toEqual([1000, 1000, 1000, 4000]);
    expect([0, 1, 2, 10].map((n) => getRetryDelayMs(n, error, () => 1))).toEqual([1700, 1700, 2000, 8000]);
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

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
    ['CERT_HAS_EXPIRED', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    ['ERR_SSL_WRONG_VERSION_NUMBER', false],
    ['ECONNRESET', true],
  ])('of the connection with %s is retried: %s', (code, expected) => {
    const cause = new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
    expect(isRetryable(new ConnectionError('No response', { cause }))).toBe(expected);
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
    await expect(client.account()).rejects.toThrow('No response from http://fake for 20 ms.');
  });
});

describe('a request to another server than the service', () => {
  const account = (response: () => Response) =>
    new FakeService({ 'GET /api/v1/account': response })
      .client()
      .account()
      .catch((error: unknown) => error);

  it.each([
    ['a page', () => new Response('<html>\n', { headers: { 'content-type': 'text/html' } })],
    ['JSON without the fields of the service', () => Response.json({ message: 'hello' })],
    ['JSON that is no object', () => Response.json(null)],
  ])('throws an error that names the URL, after %s', async (_, response) => {
    const error = await account(response);
    expect(error).toBeInstanceOf(WrongServerError);
    expect((error as Error).message).toBe(
      'http://fake/api/v1/account answered, but not as the service does. Is this the URL of the service?',
    );
  });

  it('throws an error that names the URL in one line, after a 404 that is a page', async () => {
    const error = await account(() => new Response('<html>\n <p>no</p>', { status: 404 }));
    expect(error).toMatchObject({
      code: 'unknown',
      message: '404 unknown: http://fake sent no error of the service, but <html> <p>no</p>',
    });
  });

  it('throws an error with the code unknown, after JSON with a code that is no text', async () => {
    const error = await account(() => Response.json({ code: 42, message: 'no route' }, { status: 404 }));
    expect(error).toMatchObject({ code: 'unknown', message: expect.stringContaining('no route') as string });
  });
});

describe('a request below a wrong path', () => {
  const createClient = (baseUrl: string) => {
    const routeNotFound = { code: 'not_found', detail: 'There is no such route.' };
    const service = new FakeService({
      'GET /api/v1/api/v1/account': () => Response.json(routeNotFound, { status: 404 }),
      'GET /api/v1/account': () => Response.json(routeNotFound, { status: 404 }),
      'GET /stt/api/v1/jobs/j': () => createProblemResponse(404, 'job_not_found'),
    });
    return service.client({ baseUrl });
  };
  const hint = 'The URL of the service ends before /api/v1.';

  it('names the URL of the service, and says where it ends', async () => {
    const client = createClient('http://fake/api/v1');
    await expect(client.account()).rejects.toMatchObject({
      name: 'NotFoundError',
      code: 'not_found',
      message: `404 not_found: There is no such route. Is http://fake/api/v1 right? ${hint}`,
    });
    const events = client.jobs.stream('j');
    await expect(events.next()).rejects.toThrow(hint);
    await expect(client.jobs.delete('j')).rejects.toThrow(hint);
  });

  it('does not do so for a URL without a path, and for a job that does not exist', async () => {
    const [whole, below] = [createClient('http://fake'), createClient('http://fake/stt')];
    const notFound = { name: 'NotFoundError', message: '404 not_found: There is no such route.' };
    await expect(whole.account()).rejects.toMatchObject(notFound);
    await expect(below.jobs.get('j')).rejects.toMatchObject({
      message: '404 job_not_found: job_not_found happened (request request-1)',
    });
  });
});

describe('new Zephyr', () => {
  it.each([
    [{ baseUrl: 'zephyr.example.com' }, 'baseUrl must be an http or https URL, not zephyr.example.com.'],
    [{ baseUrl: 'ftp://ada:secret@host' }, 'baseUrl must be an http or https URL, not ftp://***@host.'],
    [
      { baseUrl: 'http://ada:sec/ret@host:port' },
      'baseUrl must be an http or https URL, not http://***@host:port.',
    ],
    [{ baseUrl: 'http://ada:secret@host' }, 'baseUrl must have no user name and no password.'],
    [{ apiKey: undefined }, 'apiKey is missing.'],
    [{ apiKey: '' }, 'apiKey is missing.'],
    [{ apiKey: 'a\nb' }, 'apiKey must be the text of an API key, without blanks or line breaks.'],
    [{ apiKey: 'Bearer a' }, 'apiKey must be the text of an API key, without "Bearer".'],
    [{ baseURL: 'http://fake' } as never, 'baseURL is no option; did you mean baseUrl?'],
    [{ api_key: 'a' } as never, 'api_key is no option; did you mean apiKey?'],
    [{ retries: 1 } as never, 'retries is no option'],
    [{ maxRetries: -1 }, 'maxRetries must be an integer of at least 0, not -1.'],
    [{ timeoutMs: 0.5 }, 'timeoutMs must be an integer of at least 1, not 0.5.'],
  ])('refuses %j', (options, message) => {
    expect(() => new FakeService({}).client(options)).toThrow(message);
  });

  it('keeps the path of a service behind a prefix', async () => {
    const service = new FakeService({ 'GET /stt/api/v1/account': () => Response.json({ api_key: {} }) });
    await expect(service.client({ baseUrl: 'http://fake/stt' }).account()).resolves.toEqual({ api_key: {} });
  });
});
