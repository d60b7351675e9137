import { inTransaction } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import { normalizeEmail } from '../users/mail-address.js';
import { verifyPassword } from '../passwords/password.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import type { TotpAndRecoveryCodes } from '../factors/totp-and-recovery-codes.js';
import type { ClientInfo, SessionIdAndTokenHash, Sessions } from '../sessions/sessions.js';
import {
  assertFewRejectedSecondFactorCodes,
  recordRejectedSecondFactorCode,
} from '../factors/rejected-codes.repository.js';
import {
  deleteSignInChallenge,
  findUserIdOfSignInChallenge,
  insertSignInChallenge,
  lockSignInChallenge,
} from './sign-in-challenge.repository.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';
import { hasConfirmedTotpSecret } from '../factors/totp.repository.js';
import { findUserByEmail, lockUserIfPasswordHashIs } from '../users/user.repository.js';

const SECOND_FACTOR_SECONDS = 5 * 60;

/** What a first step leads to: a session, or a challenge for the second factor. */
export type SignInResult =
  | { state: 'signed_in'; sessionToken: string; userId: string }
  | { state: 'second_factor'; challengeToken: string };

/** How many of knowledge, possession and biometrics have verified the user. */
export type VerifiedFactorCount = 'one_factor' | 'two_factors';

export type SignInMethod = 'password' | 'link' | 'passkey' | 'oidc' | 'invitation';

/** The steps of a sign-in. Each successful one ends in a new session. */
export class SignInService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly secondFactor: TotpAndRecoveryCodes,
    private readonly limits: SignInRateLimiter,
  ) {}

  /** For requests that send a link. @throws ServiceError `rate_limit_exceeded`, `service_unavailable` */
  countForgottenPassword(email: string, client: ClientInfo): Promise<void> {
    return this.limits.countAttempt(`forgot-password ${normalizeEmail(email)}`, client.address);
  }

  /** @throws ServiceError `sign_in_failed` for an unknown user, a wrong password and a disabled user alike */
  async withPassword(email: string, password: string, client: ClientInfo): Promise<SignInResult> {
    await this.limits.countAttempt(normalizeEmail(email), client.address);
    const user = await findUserByEmail(this.dataSource, email);
    const isRight = await verifyPassword(user?.passwordHash ?? null, password);
    if (!user || !isRight || user.disabledAt !== null) throw createWrongPasswordError();
    return inTransaction(this.dataSource, async (tx) => {
      // The verification takes long. If another password was set meanwhile, the verified one must start no session.
      if (!(await lockUserIfPasswordHashIs(tx, user.id, user.passwordHash))) throw createWrongPasswordError();
      return this.continueWithSecondFactor(tx, user.id, 'password', client);
    });
  }

  /**
   * @param code six digits of an authenticator app, or a recovery code
   * @throws ServiceError `sign_in_failed`
   */
  async withSecondFactor(challengeToken: string, code: string, client: ClientInfo): Promise<SignInResult> {
    await this.limits.countRequest(client.address);
    const hash = hashSecretToken(challengeToken);
    const userId =
      hash && (await findUserIdOfSignInChallenge(this.dataSource.manager, hash, 'second_factor'));
    // Codes are counted by user, because who knows the password gets any number of challenges; and outside of the transaction,
    // because counting may need a connection of its own.
    if (userId) await this.countCode(userId);
    const result = await inTransaction(this.dataSource, async (tx) => {
      const challenge = hash && (await lockSignInChallenge(tx, hash, 'second_factor'));
      if (!hash || !userId || challenge?.userId !== userId) return null;
      if (!(await this.acceptCode(tx, userId, code))) {
        await recordRejectedSecondFactorCode(tx, describeActor(userId, client));
        return null;
      }
      await deleteSignInChallenge(tx, hash);
      const method = challenge.data.method as SignInMethod;
      return this.startSession(tx, { userId, method, factors: 'two_factors' }, client);
    });
    if (!result) throw new ServiceError('sign_in_failed', { detail: 'The code is wrong or has expired.' });
    return result;
  }

  /**
   * Confirms the second factor in a session that was signed in with one.
   * @param code as `withSecondFactor`
   * @returns the new token of the session
   * @throws ServiceError `validation_failed` (names `code`), `conflict`, `rate_limit_exceeded`, `not_signed_in`
   */
  async confirmSecondFactor(
    { userId, ...session }: { userId: string } & SessionIdAndTokenHash,
    code: string,
    actor: AuditActor,
  ): Promise<string> {
    await this.limits.countRequest(actor.address);
    await this.countCode(userId);
    // Codes of an app that is not enabled yet are for `TotpAndRecoveryCodes.enable`.
    if (!(await this.secondFactor.isEnabled(userId)))
      throw new ServiceError('conflict', { detail: 'You have set up no authenticator app.' });
    const token = await inTransaction(this.dataSource, async (tx) => {
      if (!(await this.acceptCode(tx, userId, code))) {
        await recordRejectedSecondFactorCode(tx, actor);
        return null;
      }
      await recordAuditEvent(tx, actor, { accountId: null, action: 'user.second_factor_confirmed' });
      return this.sessions.renewWithTwoFactors(tx, session);
    });
    if (token === null) throw createInvalidFieldError('code', 'is wrong or has expired');
    return token;
  }

  /**
   * Enables the app that `TotpAndRecoveryCodes.enroll` began with. Ends the other sessions of the user.
   * @returns recovery codes, which are shown once, and the new token of the session
   * @throws ServiceError as `confirmSecondFactor`
   */
  async enableSecondFactor(
    { userId, ...session }: { userId: string } & SessionIdAndTokenHash,
    code: string,
    actor: AuditActor,
  ): Promise<{ recoveryCodes: string[]; token: string }> {
    await this.limits.countRequest(actor.address);
    await this.countCode(userId);
    const action = (await this.secondFactor.isEnabled(userId))
      ? 'user.second_factor_replaced'
      : 'user.second_factor_enabled';
    const enabled = await inTransaction(this.dataSource, async (tx) => {
      const recoveryCodes = await this.secondFactor.enable(tx, userId, code);
      if (!recoveryCodes) {
        await recordRejectedSecondFactorCode(tx, actor);
        return null;
      }
      const sessions_ended = await this.sessions.endAll(tx, userId, session.sessionId);
      await recordAuditEvent(tx, actor, { accountId: null, action, details: { sessions_ended } });
      return { recoveryCodes, token: await this.sessions.renewWithTwoFactors(tx, session) };
    });
    if (!enabled) throw createInvalidFieldError('code', 'is not the code that the app shows now');
    return enabled;
  }

  /** Call it after all factors that the user has set up were verified. */
  async startSession(
    tx: EntityManager,
    { userId, method, factors }: { userId: string; method: SignInMethod; factors: VerifiedFactorCount },
    client: ClientInfo,
  ): Promise<SignInResult & { state: 'signed_in' }> {
    const hasTwoFactors = factors === 'two_factors';
    const sessionToken = await this.sessions.create(tx, { userId, hasTwoFactors }, client);
    await recordAuditEvent(tx, describeActor(userId, client), {
      accountId: null,
      action: 'user.signed_in',
      details: { method },
    });
    return { state: 'signed_in', sessionToken, userId };
  }

  /** Call it after the first factor was verified. Starts a session if the user has no authenticator app. */
  async continueWithSecondFactor(
    tx: EntityManager,
    userId: string,
    method: SignInMethod,
    client: ClientInfo,
  ): Promise<SignInResult> {
    if (!(await hasConfirmedTotpSecret(tx, userId)))
      return this.startSession(tx, { userId, method, factors: 'one_factor' }, client);
    const token = generateSecretToken();
    const challenge = { tokenHash: token.hash, userId, kind: 'second_factor', data: { method } } as const;
    await insertSignInChallenge(tx, challenge, SECOND_FACTOR_SECONDS);
    return { state: 'second_factor', challengeToken: token.text };
  }

  /** Accepts a recovery code also after too many wrong codes of the app, so that guesses of somebody else keep nobody out. */
  private async acceptCode(tx: EntityManager, userId: string, code: string): Promise<boolean> {
    if (await this.secondFactor.acceptRecoveryCode(tx, userId, code)) return true;
    await assertFewRejectedSecondFactorCodes(tx, userId);
    return this.secondFactor.acceptCode(tx, userId, code);
  }

  private countCode(userId: string): Promise<void> {
    return this.limits.countUserAttempt(`second-factor ${userId}`);
  }
}

function createWrongPasswordError(): ServiceError {
  return new ServiceError('sign_in_failed', { detail: 'The mail address or the password is wrong.' });
}

function describeActor(userId: string, { address }: ClientInfo): AuditActor {
  return { kind: 'user', id: userId, name: null, address, requestId: null };
}
