import { ExternalIdentity, inTransaction, User } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';
import { recordAuditEvent } from '../../audit/audit-log.repository.js';
import {
  lockExternalIdentityAndFindUser,
  hasExternalIdentityAtIssuer,
} from './external-identity.repository.js';
import type { Invitations } from '../members/invitations.js';
import type { OidcNonceAndCodeVerifier, OidcClaims, OidcProviderClient } from './oidc-provider-client.js';
import { lockUserRow } from '../factors/required-two-factors.repository.js';
import { generateSecretToken, hashSecretToken } from '../secret-token.js';
import type { ClientInfo } from '../sessions/sessions.js';
import { consumeSignInChallenge, insertSignInChallenge } from './sign-in-challenge.repository.js';
import type { SignInRateLimiter } from './sign-in-rate-limiter.js';
import type { SignInService, SignInResult } from './sign-in.service.js';
import { normalizeEmail } from '../users/mail-address.js';
import type { Users } from '../users/users.js';

/** Also the lifetime of the cookie that binds the sign-in to its browser. */
export const OIDC_STATE_LIFETIME_SECONDS = 10 * 60;

/** Why nobody is signed in; shown by the sign-in page. */
export type OidcRejectionReason =
  | 'oidc_failed'
  | 'address_not_allowed'
  | 'another_identity'
  | 'not_invited'
  | 'several_invitations'
  | 'user_disabled';

export type OidcSignInResult =
  SignInResult | { state: 'rejected'; reason: OidcRejectionReason; cause?: unknown };

/** Signs in who the operator's provider knows, if the user is known here or has an invitation. */
export class OidcSignIn {
  /** @param provider null: none is configured */
  constructor(
    private readonly dataSource: DataSource,
    private readonly provider: OidcProviderClient | null,
    private readonly signIn: SignInService,
    private readonly users: Users,
    private readonly invitations: Invitations,
    private readonly limits: SignInRateLimiter,
  ) {}

  get isConfigured(): boolean {
    return this.provider !== null;
  }

  /**
   * @param invitationToken of the link that the person has opened; null without one
   * @returns where to send the browser, and the state that its cookie keeps; null without a provider
   */
  async start(
    { address }: ClientInfo,
    invitationToken: string | null,
  ): Promise<{ url: string; state: string } | null> {
    if (!this.provider) return null;
    await this.limits.countRequest(address);
    const state = generateSecretToken();
    const { url, checks } = await this.provider.buildAuthorizationUrl(state.text);
    const invitation = invitationToken && hashSecretToken(invitationToken);
    const data = { ...checks, ...(invitation && { invitation: invitation.toString('hex') }) };
    const challenge = { tokenHash: state.hash, userId: null, kind: 'oidc', data } as const;
    await insertSignInChallenge(this.dataSource.manager, challenge, OIDC_STATE_LIFETIME_SECONDS);
    return { url, state: state.text };
  }

  /**
   * @param query of the URL that the provider sent the browser to
   * @param stateOfBrowser of the cookie; another browser's response is rejected
   */
  async finish(query: string, stateOfBrowser: string, client: ClientInfo): Promise<OidcSignInResult> {
    const state = new URLSearchParams(query).get('state') ?? '';
    const hash = hashSecretToken(state);
    if (!this.provider || !hash || state !== stateOfBrowser)
      return { state: 'rejected', reason: 'oidc_failed' };
    const challenge = await consumeSignInChallenge(this.dataSource.manager, hash, 'oidc');
    if (!challenge) return { state: 'rejected', reason: 'oidc_failed' };
    try {
      const claims = await this.provider.redeemCode(
        query,
        state,
        challenge.data as unknown as OidcNonceAndCodeVerifier,
      );
      const { invitation } = challenge.data;
      const linkHash = typeof invitation === 'string' ? Buffer.from(invitation, 'hex') : null;
      return await this.signInByClaims(claims, linkHash, client);
    } catch (cause) {
      return { state: 'rejected', reason: 'oidc_failed', cause };
    }
  }

  private async signInByClaims(
    claims: OidcClaims,
    linkHash: Buffer | null,
    client: ClientInfo,
  ): Promise<OidcSignInResult> {
    const email = claims.email === null ? null : normalizeEmail(claims.email);
    const domain = email?.split('@').at(-1) ?? '';
    if (email === null || !this.provider?.options.allowedDomains.includes(domain))
      return { state: 'rejected', reason: 'address_not_allowed' };
    return inTransaction(this.dataSource, async (tx): Promise<OidcSignInResult> => {
      const { issuer, subject, name } = claims;
      const linked = await lockExternalIdentityAndFindUser(tx, issuer, subject);
      const known = linked ?? (await tx.findOneBy(User, { email }));
      // The lock lets the second of two first sign-ins at a time see the identity that the first one linked.
      if (!linked && known) await lockUserRow(tx, known.id);
      if (known?.disabledAt) return { state: 'rejected', reason: 'user_disabled' };
      // The provider may have given the address to another person, who must not get the user of the one before.
      if (!linked && known && (await hasExternalIdentityAtIssuer(tx, issuer, known.id)))
        return { state: 'rejected', reason: 'another_identity' };
      const person = { email, name: name ?? '', linkHash };
      const user = known
        ? { state: 'known' as const, userId: known.id }
        : await this.invitations.acceptForVerifiedAddress(tx, person, client);
      if (user.state === 'rejected') return user;
      const { userId } = user;
      if (!linked) await this.link(tx, { issuer, subject, userId }, email, client);
      const factors = claims.hasTwoFactors ? 'two_factors' : 'one_factor';
      return this.signIn.startSession(tx, { userId, method: 'oidc', factors }, client);
    });
  }

  private async link(
    tx: EntityManager,
    identity: { issuer: string; subject: string; userId: string },
    email: string,
    { address }: ClientInfo,
  ): Promise<void> {
    const actor = { kind: 'user', id: identity.userId, name: email, address, requestId: null } as const;
    await this.users.proveAddress(tx, actor, identity.userId);
    await tx.insert(ExternalIdentity, identity);
    const details = { issuer: identity.issuer };
    await recordAuditEvent(tx, actor, { accountId: null, action: 'user.identity_linked', details });
  }
}
