import { hash } from 'node:crypto';
import { ServiceError } from '@app/errors';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';

const ATTEMPTS_PER_USER = 10;

/**
 * Counts attempts to sign in per user and per address in a minute. Unlike the limits of API keys it fails closed: without its store
 * nobody could otherwise be kept from guessing.
 */
export class SignInLimits {
  /** @param attemptsPerAddress per minute */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly attemptsPerAddress: number,
  ) {}

  /**
   * @param user mail address or user id; counted also when there is no such user
   * @throws ServiceError `rate_limit_exceeded`, `service_unavailable`
   */
  async countAttempt(user: string, address: string | null): Promise<void> {
    await this.take('user', user, ATTEMPTS_PER_USER);
    await this.take('address', address ?? 'unknown', this.attemptsPerAddress);
  }

  /** For requests that name no user. @throws ServiceError as `countAttempt` */
  countRequest(address: string | null): Promise<void> {
    return this.take('address', address ?? 'unknown', this.attemptsPerAddress);
  }

  private async take(kind: string, value: string, limit: number): Promise<void> {
    // A bucket name is bounded and has no mail address in clear text.
    const bucket = `sign-in:${kind}:${hash('sha256', value, 'base64url')}`;
    const result = await this.limiter.take(bucket, limit).catch((cause: unknown) => {
      throw new ServiceError('service_unavailable', {
        detail: 'Attempts to sign in cannot be counted now.',
        retryAfter: 1,
        cause,
      });
    });
    if (result.admitted) return;
    const retryAfter = Math.max(1, Math.ceil(result.resetMs / 1_000));
    throw new ServiceError('rate_limit_exceeded', {
      detail: `Too many attempts to sign in. Try again in ${retryAfter} s.`,
      retryAfter,
    });
  }
}
