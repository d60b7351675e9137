import { describe, expect, it, vi } from 'vitest';
import { connectToPostgresWithRetry } from './connect-with-retry.js';

const failing = (code: string, message: string) => Object.assign(new Error(message), { code });
const connectionError = failing('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432');
const starting = failing('57P03', 'the database system is starting up');

describe('connectToPostgresWithRetry', () => {
  const logger = { warn: vi.fn() };
  const options = { maxWaitSeconds: 60, logger, retryIntervalMs: 1 };

  it('retries until the database answers and logs only the first failure within five seconds', async () => {
    const connect = vi
      .fn()
      .mockRejectedValueOnce(connectionError)
      .mockRejectedValueOnce(starting)
      .mockResolvedValue('open');
    expect(await connectToPostgresWithRetry(connect, options)).toBe('open');
    expect(logger.warn.mock.calls).toEqual([
      [{ reason: connectionError.message, waitedSeconds: 0 }, 'waiting for Postgres'],
    ]);
  });

  it.each([
    ['28P01', 'password authentication failed for user "zephyr"'],
    ['3D000', 'database "zephyr" does not exist'],
  ])('fails at once when the server answers %s, and names the setting', async (code, message) => {
    const connect = vi.fn().mockRejectedValue(failing(code, message));
    await expect(connectToPostgresWithRetry(connect, options)).rejects.toThrow(
      `Configuration: DATABASE_URL is refused by the server: ${message}`,
    );
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('does not retry an error that is no outage', async () => {
    const connect = vi.fn().mockRejectedValue(new Error('self-signed certificate'));
    await expect(connectToPostgresWithRetry(connect, options)).rejects.toThrow(/^self-signed certificate$/);
    expect(connect).toHaveBeenCalledTimes(1);
  });

  it('tries once when the timeout is 0', async () => {
    const connect = vi.fn().mockRejectedValue(connectionError);
    await expect(connectToPostgresWithRetry(connect, { ...options, maxWaitSeconds: 0 })).rejects.toBe(
      connectionError,
    );
    expect(connect).toHaveBeenCalledTimes(1);
  });
});
