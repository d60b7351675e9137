import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { ServiceError } from '@app/errors';
import ipaddr from 'ipaddr.js';
import type { RateLimiter } from '../../rate-limits/rate-limiter.js';

const ATTEMPTS_PER_USER = 10;

/**
 * Counts attempts to sign in per user and per address in a minute. Unlike the limits of API keys it fails closed: without its store
 * nobody could otherwise be kept from guessing.
 */
export class SignInRateLimiter {
  /** @param attemptsPerAddress per minute */
  constructor(
    private readonly limiter: RateLimiter,
    private readonly attemptsPerAddress: number,
  ) {}

  /**
   * Counts the address first. An address above its limit then uses up no attempts of a user, who could otherwise not sign in.
   * @param user mail address or user id; counted also when there is no such user
   * @throws ServiceError `rate_limit_exceeded`, `service_unavailable`
   */
  async countAttempt(user: string, address: string | null): Promise<void> {
    await this.countRequest(address);
    await this.countUserAttempt(user);
  }

  /** For requests whose address is counted already. @throws ServiceError as `countAttempt` */
  countUserAttempt(user: string): Promise<void> {
    return this.take('user', user, ATTEMPTS_PER_USER);
  }

  /** For requests that name no user. @throws ServiceError as `countAttempt` */
  countRequest(address: string | null): Promise<void> {
    return this.take('address', toClientNetwork(address), this.attemptsPerAddress);
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

/** An IPv6 network of 64 bits counts as one address, because one customer of a provider has at least that many. */
export function toClientNetwork(address: string | null): string {
  if (address === null || isIP(address) !== 6) return address ?? 'unknown';
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : `${parsed.toNormalizedString().split(':').slice(0, 4).join(':')}::/64`;
}
