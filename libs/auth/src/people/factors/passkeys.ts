import { inTransaction, Passkey } from '@app/database';
import { createInvalidFieldError, ServiceError } from '@app/errors';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import type { DataSource } from 'typeorm';
import { type AuditActor, recordAuditEvent } from '../../audit/audit-log.repository.js';
import { insertPasskey, listPasskeys, lockPasskeyRow, recordPasskeyUse } from './passkey.repository.js';
import { assertRequiredFactorsRemain } from './required-two-factors.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import type { SessionWithUserAndRole } from '../sessions/session.repository.js';
import type { ClientInfo, SessionIdAndTokenHash, Sessions } from '../sessions/sessions.js';
import { consumeSignInChallenge, insertSignInChallenge } from '../sign-in/sign-in-challenge.repository.js';
import type { SignInRateLimiter } from '../sign-in/sign-in-rate-limiter.js';
import type { SignInService, SignInResult } from '../sign-in/sign-in.service.js';

const CHALLENGE_SECONDS = 5 * 60;
const MAX_PASSKEYS = 20;
const MAX_NAME_LENGTH = 100;
const NAME_OF_SERVICE = 'zephyr';

/** The console, as authenticators know it. */
export interface RelyingParty {
  /** Host name of the console. */
  id: string;
  /** The only origin whose pages may use the passkeys. */
  origin: string;
}

/**
 * Public keys of authenticators (WebAuthn). The authenticator verifies its user by PIN or biometrics and stores who that
 * is, so that a passkey is two factors and needs no mail address. The challenge is the token of its row.
 */
export class Passkeys {
  /** @param relyingParty null: the console's address permits no passkeys */
  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: Sessions,
    private readonly signIn: SignInService,
    private readonly limits: SignInRateLimiter,
    private readonly relyingParty: RelyingParty | null,
  ) {}

  get areAvailable(): boolean {
    return this.relyingParty !== null;
  }

  list(userId: string): Promise<Passkey[]> {
    return listPasskeys(this.dataSource, userId);
  }

  count(userId: string): Promise<number> {
    return this.dataSource.manager.countBy(Passkey, { userId });
  }

  /** @throws ServiceError `conflict` */
  async startRegistration(
    userId: string,
    { email, userName }: { email: string; userName: string },
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { id: rpID } = this.requireRelyingParty();
    const present = await this.list(userId);
    if (present.length >= MAX_PASSKEYS)
      throw new ServiceError('conflict', { detail: `You have ${MAX_PASSKEYS} passkeys; remove one first.` });
    const { generateRegistrationOptions } = await import('@simplewebauthn/server');
    return generateRegistrationOptions({
      rpName: NAME_OF_SERVICE,
      rpID,
      userName: email,
      userDisplayName: userName,
      // Everybody who finds the authenticator can read this id, so it contains no name or address.
      userID: Uint8Array.from(Buffer.from(userId.replaceAll('-', ''), 'hex')),
      challenge: await this.createChallenge('passkey_registration', userId),
      timeout: CHALLENGE_SECONDS * 1_000,
      attestationType: 'none',
      excludeCredentials: present.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
  }

  /**
   * The authenticator has verified the user, so that the session has two factors from now on.
   * @throws ServiceError `validation_failed`, `conflict`, `not_signed_in`
   */
  async finishRegistration(
    { userId, ...session }: { userId: string } & SessionIdAndTokenHash,
    { response, name }: { response: RegistrationResponseJSON; name: string },
    actor: AuditActor,
  ): Promise<{ id: string; sessionToken: string }> {
    const { id: expectedRPID, origin: expectedOrigin } = this.requireRelyingParty();
    const shownName = assertName(name);
    const expectedChallenge = await this.consumeChallenge('passkey_registration', response, userId);
    const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
    const verified =
      expectedChallenge !== null &&
      (await verifyRegistrationResponse({
        response,
        expectedChallenge,
        expectedOrigin,
        expectedRPID,
        requireUserVerification: true,
      }).catch(() => null));
    if (!verified || !verified.verified)
      throw createInvalidFieldError(
        'response',
        'is not the answer of an authenticator to an open registration',
      );
    const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
    const row = { id, userId, name: shownName, publicKey: Buffer.from(publicKey), counter, transports };
    const sessionToken = await inTransaction(this.dataSource, async (tx) => {
      if (!(await insertPasskey(tx, row)))
        throw new ServiceError('conflict', { detail: 'This passkey is registered already.' });
      const entry = { accountId: null, action: 'user.passkey_added', target: id };
      await recordAuditEvent(tx, actor, { ...entry, details: { name: shownName } });
      return this.sessions.renewWithTwoFactors(tx, session);
    });
    return { id, sessionToken };
  }

  /** @throws ServiceError `no_such_resource`, `validation_failed` */
  rename(userId: string, id: string, name: string, actor: AuditActor): Promise<void> {
    const shownName = assertName(name);
    return inTransaction(this.dataSource, async (tx) => {
      const present = await tx.findOneBy(Passkey, { id, userId });
      if (!present) throw noSuchPasskey();
      if (present.name === shownName) return;
      await tx.update(Passkey, { id, userId }, { name: shownName });
      const entry = { accountId: null, action: 'user.passkey_renamed', target: id };
      await recordAuditEvent(tx, actor, { ...entry, details: { name: shownName } });
    });
  }

  /** @throws ServiceError `no_such_resource`; `conflict` for the last factor of a user who needs one */
  remove(
    session: Pick<SessionWithUserAndRole, 'userId' | 'twoFactorsRequiredBy'>,
    id: string,
    actor: AuditActor,
  ): Promise<void> {
    return inTransaction(this.dataSource, async (tx) => {
      if ((await tx.delete(Passkey, { id, userId: session.userId })).affected !== 1) throw noSuchPasskey();
      await assertRequiredFactorsRemain(tx, session);
      const entry = { accountId: null, action: 'user.passkey_removed', target: id };
      await recordAuditEvent(tx, actor, entry);
    });
  }

  /** Starts the sign-in of any user: the authenticator offers the passkeys that it has. */
  async startSignIn({ address }: ClientInfo): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id: rpID } = this.requireRelyingParty();
    await this.limits.countRequest(address);
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      rpID,
      challenge: await this.createChallenge('passkey', null),
      timeout: CHALLENGE_SECONDS * 1_000,
      userVerification: 'required',
    });
  }

  /** @throws ServiceError `sign_in_failed` */
  async finishSignIn(response: AuthenticationResponseJSON, client: ClientInfo): Promise<SignInResult> {
    const relyingParty = this.requireRelyingParty();
    await this.limits.countAttempt(`passkey ${response.id}`, client.address);
    const challenge = await this.consumeChallenge('passkey', response, null);
    const result =
      challenge !== null &&
      (await inTransaction(this.dataSource, async (tx) => {
        const passkey = await lockPasskeyRow(tx, response.id);
        if (!passkey) return null;
        const counter = await verifyAssertion(response, challenge, passkey, relyingParty);
        if (counter === null) return null;
        await recordPasskeyUse(tx, response.id, counter);
        const { userId } = passkey;
        return this.signIn.startSession(tx, { userId, method: 'passkey', factors: 'two_factors' }, client);
      }));
    if (!result)
      throw new ServiceError('sign_in_failed', { detail: 'The passkey is unknown, or its answer is wrong.' });
    return result;
  }

  private requireRelyingParty(): RelyingParty {
    if (this.relyingParty) return this.relyingParty;
    throw new ServiceError('conflict', {
      detail: 'Browsers permit passkeys at a host name only, with https: or at localhost; see PUBLIC_URL.',
    });
  }

  private async createChallenge(
    kind: 'passkey' | 'passkey_registration',
    userId: string | null,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const token = generateSecretToken();
    const challenge = { tokenHash: token.hash, userId, kind, data: {} };
    await insertSignInChallenge(this.dataSource.manager, challenge, CHALLENGE_SECONDS);
    return Uint8Array.from(Buffer.from(token.text, 'base64url'));
  }

  /** Each challenge works once, also for a wrong answer. @returns null if it is not open */
  private async consumeChallenge(
    kind: 'passkey' | 'passkey_registration',
    { response }: { response: { clientDataJSON: string } },
    userId: string | null,
  ): Promise<string | null> {
    const challenge = readChallenge(response.clientDataJSON);
    const hash = hashSecretToken(challenge);
    const row = hash && (await consumeSignInChallenge(this.dataSource.manager, hash, kind));
    return row && row.userId === userId ? challenge : null;
  }
}

/** @returns the new counter; null if the signature is wrong, or the counter shows a copy of the authenticator */
async function verifyAssertion(
  response: AuthenticationResponseJSON,
  expectedChallenge: string,
  { publicKey, counter }: Pick<Passkey, 'publicKey' | 'counter'>,
  { id: expectedRPID, origin: expectedOrigin }: RelyingParty,
): Promise<number | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const credential = { id: response.id, publicKey: Uint8Array.from(publicKey), counter };
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin,
    expectedRPID,
    credential,
    requireUserVerification: true,
  }).catch(() => null);
  return verified?.verified ? verified.authenticationInfo.newCounter : null;
}

function readChallenge(clientDataJson: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}

function assertName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > MAX_NAME_LENGTH)
    throw createInvalidFieldError('name', `must have 1 to ${MAX_NAME_LENGTH} characters`);
  return trimmed;
}

function noSuchPasskey(): ServiceError {
  return new ServiceError('no_such_resource', { detail: 'You have no such passkey.' });
}
