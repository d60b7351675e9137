import { User } from '@app/database';
import { invalidFieldError, ServiceError } from '@app/errors';
import type { DataSource } from 'typeorm';
import { verifyPassword } from './password.js';
import type { SessionWithUserAndRole } from './session.repository.js';
import type { Sessions } from './sessions.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';

/** Confirms that the user is at the browser, before a change of what the user signs in with. */
export class UserReauthentication {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Pick<Sessions, 'renew'>,
    private readonly limits: SignInRateLimiter,
  ) {}

  /**
   * By the password; users without one must have signed in recently.
   * @returns the new token of the session, so that who has seen the one before gains nothing; null if it stays, or another request has renewed it
   * @throws ServiceError `validation_failed` (names `current_password`), `recent_sign_in_required`, `rate_limit_exceeded`
   */
  async confirm(
    session: Pick<SessionWithUserAndRole, 'userId' | 'sessionId' | 'tokenHash' | 'isRecent'>,
    password: string | undefined,
    address: string | null,
  ): Promise<string | null> {
    const { userId, isRecent } = session;
    const { passwordHash } = await this.dataSource.manager.findOneByOrFail(User, { id: userId });
    if (passwordHash === null) {
      if (!isRecent) throw new ServiceError('recent_sign_in_required');
      return null;
    }
    await this.limits.countAttempt(`confirmation ${userId}`, address);
    if (!(await verifyPassword(passwordHash, password ?? '')))
      throw invalidFieldError('current_password', 'is wrong');
    return this.sessions.renew(session);
  }
}
