import { User } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { verifyPassword } from '../passwords/password.js';
import type { SessionWithUserAndRole } from '../sessions/session.repository.js';
import type { Sessions } from '../sessions/sessions.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';

export interface ReauthenticationResult {
  /**
   * New token of the session: the one before is void, so that who has seen it gains nothing. Null if the token stays, or
   * another request has renewed it.
   */
  token: string | null;
  /** Hash of the password that was verified; null for a user without one. */
  passwordHash: string | null;
}

/** Confirms that the user is at the browser, before a change of what the user signs in with. */
export class UserReauthentication {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Pick<Sessions, 'assertNotEnded' | 'renew'>,
    private readonly limits: SignInRateLimiter,
  ) {}

  /**
   * Verifies the password; users without one must have signed in recently.
   * @throws ServiceError `validation_failed` (names `current_password`), `recent_sign_in_required`, `rate_limit_exceeded`,
   * `not_signed_in` if the session has ended meanwhile
   */
  async confirm(
    session: Pick<SessionWithUserAndRole, 'userId' | 'sessionId' | 'tokenHash' | 'isRecent'>,
    password: string | undefined,
    address: string | null,
  ): Promise<ReauthenticationResult> {
    const { userId, sessionId, isRecent } = session;
    const { passwordHash } = await this.dataSource.manager.findOneByOrFail(User, { id: userId });
    if (passwordHash === null) {
      if (!isRecent) throw new ServiceError('recent_sign_in_required');
      await this.sessions.assertNotEnded(sessionId);
      return { token: null, passwordHash };
    }
    await this.limits.countAttempt(`confirmation ${userId}`, address);
    if (!(await verifyPassword(passwordHash, password ?? '')))
      throw createInvalidFieldError('current_password', 'is wrong');
    return { token: await this.sessions.renew(session), passwordHash };
  }
}
