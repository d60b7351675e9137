import { inTransaction, User } from '@app/database';
import type { DataSource } from 'typeorm';
import { findUserOfOpenOneTimeLink } from './one-time-link.repository.js';
import { consumeOneTimeLinkToken, createUnusableLinkError } from './one-time-links.js';
import { hashSecretToken } from '../secret-token.js';
import type { ClientInfo } from '../sessions/sessions.js';
import type { SignInService, SignInResult } from './sign-in.service.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';
import type { Users } from '../users/users.js';

/**
 * Links that an operator made or a mail delivered. Whoever opens one is the person of the mail address, which the link
 * therefore proves.
 */
export class LinkSignIn {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: Users,
    private readonly signIn: SignInService,
    private readonly limits: SignInRateLimiter,
  ) {}

  /** @throws ServiceError `sign_in_failed` if the link is unknown, used or expired */
  async openSession(token: string, client: ClientInfo, requestId: string): Promise<SignInResult> {
    return inTransaction(this.dataSource, async (tx) => {
      const userId = await consumeOneTimeLinkToken(tx, token, 'sign_in');
      await this.users.proveAddress(tx, describeActor(userId, client, requestId), userId);
      return this.signIn.continueWithSecondFactor(tx, userId, 'link', client);
    });
  }

  /**
   * Ends all sessions; the user signs in with the password afterwards. A password that is refused leaves the link.
   * @throws ServiceError `sign_in_failed` as `openSession`; `validation_failed`, `rate_limit_exceeded`
   */
  async setPassword(
    { token, password }: { token: string; password: string },
    client: ClientInfo,
    requestId: string,
  ): Promise<void> {
    await this.limits.countRequest(client.address);
    const passwordHash = await this.users.hashNewPassword(password, await this.getUserOfPasswordLink(token));
    await inTransaction(this.dataSource, async (tx) => {
      const userId = await consumeOneTimeLinkToken(tx, token, 'set_password');
      const actor = describeActor(userId, client, requestId);
      await this.users.proveAddress(tx, actor, userId);
      await this.users.setPassword(tx, actor, { userId, passwordHash });
    });
  }

  private async getUserOfPasswordLink(token: string): Promise<Pick<User, 'email' | 'name'>> {
    const hash = hashSecretToken(token);
    const user = hash && (await findUserOfOpenOneTimeLink(this.dataSource.manager, hash, 'set_password'));
    if (!user) throw createUnusableLinkError();
    return user;
  }
}

function describeActor(userId: string, { address }: ClientInfo, requestId: string) {
  return { kind: 'user', id: userId, name: null, address, requestId } as const;
}
