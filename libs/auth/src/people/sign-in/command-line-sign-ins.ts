import { inTransaction } from '@app/database';
import { ServiceError } from '@app/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import type { ConsoleApiKeys } from '../../keys/console-api-keys.js';
import { generateCommandLineUserCode, hashCommandLineUserCode } from './command-line-user-code.js';
import {
  approvePendingCommandLineSignIn,
  deleteCommandLineSignIn,
  deletePendingCommandLineSignIn,
  findPendingCommandLineSignIn,
  insertCommandLineSignIn,
  lockCommandLineSignInRow,
  recordCommandLinePoll,
  type PendingCommandLineSignIn,
} from './command-line-sign-in.repository.js';
import { hasPermission } from '../members/permissions.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';

export const COMMAND_LINE_SIGN_IN_LIFETIME_SECONDS = 600;
export const COMMAND_LINE_POLL_INTERVAL_SECONDS = 5;
/** Polls at the right interval may arrive closer together, because requests take different times on their way. */
const POLL_TOLERANCE_SECONDS = 1;

export type CommandLinePollResult =
  { state: 'pending' | 'slow_down' | 'ended' } | { state: 'approved'; apiKey: string };

/** The user who makes a request in the console. */
interface Approver {
  userId: string;
  address: string | null;
}

/**
 * Sign-ins of the command line through the console (ADR 47). The command line gets two codes: it shows the short one, which a member
 * types in the console, and polls with the long one. The key is created by the poll that follows the approval, so that it is stored nowhere.
 */
export class CommandLineSignIns {
  constructor(
    private readonly dataSource: DataSource,
    private readonly keys: ConsoleApiKeys,
    private readonly limits: SignInRateLimiter,
    private readonly hashingKey: Buffer,
  ) {}

  /** @throws ServiceError `rate_limit_exceeded`, `service_unavailable` */
  async start(machine: string, address: string | null): Promise<{ deviceCode: string; userCode: string }> {
    await this.limits.countRequest(address);
    const { text: deviceCode, hash: deviceCodeHash } = generateSecretToken();
    const userCode = generateCommandLineUserCode();
    const userCodeHash = this.hash(userCode);
    const row = { deviceCodeHash, userCodeHash, machine, address };
    await insertCommandLineSignIn(this.dataSource.manager, row, COMMAND_LINE_SIGN_IN_LIFETIME_SECONDS);
    return { deviceCode, userCode };
  }

  /**
   * The key is returned once.
   * @param origin of the request, for the audit log
   * @throws ServiceError as `start`, for codes that are unknown
   */
  async poll(
    deviceCode: string,
    origin: Pick<AuditActor, 'address' | 'requestId'>,
  ): Promise<CommandLinePollResult> {
    const hash = hashSecretToken(deviceCode);
    const result =
      hash && (await inTransaction(this.dataSource, (tx) => this.pollInTransaction(tx, hash, origin)));
    if (result) return result;
    await this.limits.countRequest(origin.address);
    return { state: 'ended' };
  }

  /** @throws ServiceError `no_such_resource`, and as `start` */
  async getPending(userCode: string, approver: Approver): Promise<PendingCommandLineSignIn> {
    await this.countAttempt(approver);
    const waiting = await findPendingCommandLineSignIn(this.dataSource.manager, this.hash(userCode));
    if (!waiting) throw createUnknownCodeError();
    return waiting;
  }

  /** @throws ServiceError as `getPending` */
  async approve(
    userCode: string,
    key: { accountId: string; userId: string; name: string; expiresAt: Date | null },
    actor: AuditActor,
  ): Promise<void> {
    await this.countAttempt({ userId: key.userId, address: actor.address });
    await inTransaction(this.dataSource, async (tx) => {
      const approved = await approvePendingCommandLineSignIn(tx, this.hash(userCode), key);
      if (!approved) throw createUnknownCodeError();
      const details = { name: key.name, expires_at: key.expiresAt, machine: approved.machine };
      await recordAuditEvent(tx, actor, { accountId: key.accountId, action: 'key.approved', details });
    });
  }

  /** @throws ServiceError as `getPending` */
  async refuse(
    userCode: string,
    { accountId, userId }: { accountId: string; userId: string },
    actor: AuditActor,
  ): Promise<void> {
    await this.countAttempt({ userId, address: actor.address });
    await inTransaction(this.dataSource, async (tx) => {
      const machine = await deletePendingCommandLineSignIn(tx, this.hash(userCode));
      if (machine === null) throw createUnknownCodeError();
      await recordAuditEvent(tx, actor, { accountId, action: 'key.refused', details: { machine } });
    });
  }

  private async pollInTransaction(
    tx: EntityManager,
    deviceCodeHash: Buffer,
    origin: Pick<AuditActor, 'address' | 'requestId'>,
  ): Promise<CommandLinePollResult | null> {
    const interval = COMMAND_LINE_POLL_INTERVAL_SECONDS - POLL_TOLERANCE_SECONDS;
    const waiting = await lockCommandLineSignInRow(tx, deviceCodeHash, interval);
    if (!waiting) return null;
    const { accountId, userId, keyName, keyExpiresAt, email, role, machine, isTooSoon } = waiting;
    if (isTooSoon || accountId === null || userId === null || keyName === null) {
      await recordCommandLinePoll(tx, deviceCodeHash);
      return { state: isTooSoon ? 'slow_down' : 'pending' };
    }
    await deleteCommandLineSignIn(tx, deviceCodeHash);
    // Who approved may have lost the permission since.
    if (role === null || !hasPermission(role, 'keys.create')) return { state: 'ended' };
    const actor = { kind: 'user', id: userId, name: email, ...origin } as const;
    const key = { accountId, userId, name: keyName, expiresAt: keyExpiresAt };
    const { apiKey } = await this.keys.createInTransaction(tx, key, actor, { machine });
    return { state: 'approved', apiKey };
  }

  private hash(userCode: string): Buffer {
    return hashCommandLineUserCode(userCode, this.hashingKey);
  }

  /** Limits the guesses of codes that command lines of others show. */
  private countAttempt({ userId, address }: Approver): Promise<void> {
    return this.limits.countAttempt(`command line code of ${userId}`, address);
  }
}

function createUnknownCodeError(): ServiceError {
  return new ServiceError('no_such_resource', {
    detail: 'No command line waits with this code. It is valid for ten minutes, once.',
  });
}
