import { UnauthenticatedClient, type PolledCommandLineSignIn } from 'zephyr-client';
import { describe, expect, it } from 'vitest';
import { NotSignedInError } from './errors.js';
import { signInThroughConsole } from './sign-in-through-console.js';

/** A service that gives the answers in turn. */
function run(...answers: (PolledCommandLineSignIn | number | 'lost')[]) {
  const waits: number[] = [];
  let shown = '';
  const fetchAnswer = (input: string | URL | Request): Promise<Response> => {
    if (new Request(input).url.endsWith('/start'))
      return Promise.resolve(
        Response.json({
          device_code: 'secret',
          user_code: 'WDJB-MJHT',
          verification_uri: 'http://fake/console/command-line',
          expires_in: 600,
          interval: 5,
        }),
      );
    const answer = answers.shift();
    if (answer === 'lost') return Promise.reject(new TypeError('fetch failed'));
    return Promise.resolve(
      typeof answer === 'number' ? new Response('{}', { status: answer }) : Response.json(answer),
    );
  };
  const routes = new UnauthenticatedClient({ baseUrl: 'http://fake', fetch: fetchAnswer, maxRetries: 0 });
  const stderr = { write: (text: string | Uint8Array) => (shown += String(text)) };
  const { signal } = new AbortController();
  const key = signInThroughConsole({ stderr, signal }, routes, (ms) =>
    Promise.resolve(waits.push(ms / 1000)),
  );
  return { key, waits, shown: () => shown };
}

const pending = { state: 'pending', api_key: null } as const;

describe('signInThroughConsole', () => {
  it('shows URL and code, but not the secret one, and returns the key once it is approved', async () => {
    const { key, waits, shown } = run(pending, { state: 'approved', api_key: 'zk_1' });
    expect(await key).toBe('zk_1');
    expect(waits).toEqual([5, 5]);
    expect(shown()).toContain('http://fake/console/command-line');
    expect(shown()).toContain('WDJB-MJHT');
    expect(shown()).not.toContain('secret');
  });

  it('waits longer when it is told to slow down, or sends too many requests', async () => {
    const slowDown = { state: 'slow_down', api_key: null } as const;
    const { key, waits } = run(slowDown, 429, pending, { state: 'approved', api_key: 'zk_1' });
    await key;
    expect(waits).toEqual([5, 10, 15, 15]);
  });

  it('survives a lost connection', async () => {
    expect(await run('lost', { state: 'approved', api_key: 'zk_1' }).key).toBe('zk_1');
  });

  it('survives a service that fails or restarts', async () => {
    expect(await run(503, 500, { state: 'approved', api_key: 'zk_1' }).key).toBe('zk_1');
  });

  it('says where a key is that was approved and did not arrive', async () => {
    const { key } = run('lost', { state: 'ended', api_key: null });
    await expect(key).rejects.toThrow('on the page Keys');
  });

  it('ends when the code has expired, even if the service does not answer any more', async () => {
    const lost = Array.from({ length: 200 }, () => 'lost' as const);
    const { key, waits } = run(...lost);
    await expect(key).rejects.toBeInstanceOf(NotSignedInError);
    expect(waits).toHaveLength(120);
  });

  it('ends when it is refused or expired', async () => {
    await expect(run(pending, { state: 'ended', api_key: null }).key).rejects.toBeInstanceOf(
      NotSignedInError,
    );
  });
});
