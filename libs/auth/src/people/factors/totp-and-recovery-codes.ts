import { createHmac, randomInt } from 'node:crypto';
import {
  ENCRYPTED_TOTP_SECRETS_TABLE,
  RowEncryptor,
  type EncryptedValue,
  type Encryptor,
  readDatabaseClockMs,
} from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { lockUserRow } from './required-two-factors.repository.js';
import { assertRequiredFactorsRemain } from './required-two-factors.js';
import type { SessionWithUserAndRole } from '../sessions/session.repository.js';
import {
  consumeRecoveryCode,
  countRecoveryCodes,
  deleteTotpAndRecoveryCodes,
  promoteTotpEnrollmentToSecret,
  hasConfirmedTotpSecret,
  lockOpenTotpEnrollment,
  lockTotpSecret,
  setLastTotpStep,
  replaceRecoveryCodes,
  upsertTotpEnrollment,
} from './totp.repository.js';

const RECOVERY_CODES = 10;
const RECOVERY_CODE_LENGTH = 24;
/** Characters of recovery codes, without those that look alike. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
/** Seconds that the clock of a telephone may be wrong. */
const CLOCK_TOLERANCE_SECONDS = 30;
const STEP_SECONDS = 30;
/** From the first sight of the secret to the first code. */
const ENROLLMENT_SECONDS = 10 * 60;
const ISSUER = 'zephyr';

export interface TotpSetupSecret {
  /** Base32, to type in. */
  secret: string;
  /** `otpauth:` for a QR code. */
  uri: string;
}

/** Authenticator apps (TOTP, RFC 6238) and recovery codes. */
export class TotpAndRecoveryCodes {
  private readonly secrets: RowEncryptor;

  constructor(
    private readonly dataSource: DataSource,
    encryptor: Encryptor,
    private readonly hashingKey: Buffer,
  ) {
    this.secrets = new RowEncryptor(dataSource, encryptor, ENCRYPTED_TOTP_SECRETS_TABLE);
  }

  isEnabled(userId: string): Promise<boolean> {
    return hasConfirmedTotpSecret(this.dataSource.manager, userId);
  }

  countRecoveryCodes(userId: string): Promise<number> {
    return countRecoveryCodes(this.dataSource.manager, userId);
  }

  /** The secret counts once `enable` has accepted a code of it; an app in use counts until then. */
  async enroll(userId: string, email: string): Promise<TotpSetupSecret> {
    const { generateSecret, generateURI } = await import('otplib');
    const secret = generateSecret();
    const sealed = this.secrets.encrypt([userId], Buffer.from(secret));
    await upsertTotpEnrollment(this.dataSource.manager, userId, sealed);
    return { secret, uri: generateURI({ issuer: ISSUER, label: email, secret }) };
  }

  /**
   * The app that `enroll` began with takes the place of the one in use, and new recovery codes that of the older ones. A sign-in
   * with the password either ends before, or needs the app: until the end of the transaction, the user is locked.
   *
   * @returns recovery codes, which are shown once; null if the code is wrong, or `enroll` was longer ago than ten minutes
   */
  async enable(tx: EntityManager, userId: string, code: string): Promise<string[] | null> {
    await lockUserRow(tx, userId);
    const row = await lockOpenTotpEnrollment(tx, userId, ENROLLMENT_SECONDS);
    const step = row && (await this.verifyCode(tx, userId, row, code, 0));
    if (step === undefined) return null;
    await promoteTotpEnrollmentToSecret(tx, userId, step);
    return this.renewRecoveryCodes(tx, userId);
  }

  /** @returns the new codes; older ones are void */
  async renewRecoveryCodes(tx: EntityManager, userId: string): Promise<string[]> {
    const codes = Array.from({ length: RECOVERY_CODES }, generateRecoveryCode);
    await replaceRecoveryCodes(
      tx,
      userId,
      codes.map((code) => this.hashRecoveryCode(userId, code)),
    );
    return codes;
  }

  /** Accepts each code once. Spaces and hyphens do not matter. @returns false if it is wrong, or the user has no second factor */
  async acceptCode(tx: EntityManager, userId: string, code: string): Promise<boolean> {
    const row = await lockTotpSecret(tx, userId);
    const step = row && (await this.verifyCode(tx, userId, row, code, row.lastStep));
    if (step === undefined) return false;
    await setLastTotpStep(tx, userId, step);
    return true;
  }

  /** Accepts each code once. Spaces, hyphens and case do not matter. */
  acceptRecoveryCode(tx: EntityManager, userId: string, code: string): Promise<boolean> {
    return consumeRecoveryCode(tx, userId, this.hashRecoveryCode(userId, code));
  }

  /** @returns false if there was none @throws ServiceError `conflict` for the last factor of a user who needs one */
  async disable(
    tx: EntityManager,
    session: Pick<SessionWithUserAndRole, 'userId' | 'twoFactorsRequiredBy'>,
  ): Promise<boolean> {
    if (!(await deleteTotpAndRecoveryCodes(tx, session.userId))) return false;
    await assertRequiredFactorsRemain(tx, session);
    return true;
  }

  /** @returns the time step of the code; undefined if it is wrong, or not later than the last one */
  private async verifyCode(
    tx: EntityManager,
    userId: string,
    encrypted: EncryptedValue,
    code: string,
    lastStep: number,
  ): Promise<number | undefined> {
    // Apps show, and people type, `123 456`.
    const digits = code.replaceAll(/[\s-]/g, '');
    if (!/^\d{6}$/.test(digits)) return undefined;
    const { verify } = await import('otplib');
    const epoch = Math.floor((await readDatabaseClockMs(tx)) / 1000);
    // The clock was set back, so no present code is later than the last one. `verify` would throw an error.
    if (lastStep > Math.floor((epoch + CLOCK_TOLERANCE_SECONDS) / STEP_SECONDS)) return undefined;
    const result = await verify({
      secret: this.secrets.decrypt([userId], encrypted).toString(),
      token: digits,
      period: STEP_SECONDS,
      epoch,
      epochTolerance: CLOCK_TOLERANCE_SECONDS,
      afterTimeStep: lastStep,
    });
    return result.valid && 'timeStep' in result ? result.timeStep : undefined;
  }

  /** Keyed, so that a copy of the database alone permits no guessing. */
  private hashRecoveryCode(userId: string, code: string): Buffer {
    const normalized = code.toLowerCase().replace(/[^a-z0-9]/g, '');
    return createHmac('sha256', this.hashingKey).update(`recovery ${userId} ${normalized}`).digest();
  }
}

/** 118 bits, in groups of four: from 112 bits on, a fast hash is as safe as a password hash. */
function generateRecoveryCode(): string {
  const characters = Array.from(
    { length: RECOVERY_CODE_LENGTH },
    () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)],
  );
  return (characters.join('').match(/.{4}/g) ?? []).join('-');
}
