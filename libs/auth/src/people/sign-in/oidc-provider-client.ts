import { replaceControlAndDirectionCharacters, ServiceError } from '@app/errors';
import type { Configuration } from 'openid-client';

export interface OidcOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Domains of mail addresses, in lower case. */
  allowedDomains: readonly string[];
  /** Whether the provider requires two factors of everybody. */
  alwaysTwoFactors: boolean;
  /** Where the provider sends the browser back to. */
  redirectUrl: string;
}

/** What a response of the provider is compared with. */
export interface OidcNonceAndCodeVerifier {
  nonce: string;
  codeVerifier: string;
}

export interface OidcClaims {
  issuer: string;
  subject: string;
  /** Null unless the provider has verified it. */
  email: string | null;
  name: string | null;
  hasTwoFactors: boolean;
}

/** Method reference of RFC 8176 for more than one factor. */
const MULTIPLE_FACTORS = 'mfa';

const TIMEOUT_SECONDS = 8;

/** The operator's OpenID Connect provider: authorization code with PKCE, state and nonce. */
export class OidcProviderClient {
  private configuration: Promise<Configuration> | undefined;

  constructor(readonly options: OidcOptions) {}

  /** @throws ServiceError `service_unavailable` if the provider does not answer */
  async buildAuthorizationUrl(state: string): Promise<{ url: string; checks: OidcNonceAndCodeVerifier }> {
    const client = await import('openid-client');
    const configuration = await this.getConfiguration();
    const codeVerifier = client.randomPKCECodeVerifier();
    const nonce = client.randomNonce();
    const url = client.buildAuthorizationUrl(configuration, {
      redirect_uri: this.options.redirectUrl,
      scope: 'openid email profile',
      code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, checks: { nonce, codeVerifier } };
  }

  /** @throws errors of the library if the response, its signature or its claims are wrong */
  async redeemCode(query: string, state: string, checks: OidcNonceAndCodeVerifier): Promise<OidcClaims> {
    const client = await import('openid-client');
    const configuration = await this.getConfiguration();
    const tokens = await client.authorizationCodeGrant(
      configuration,
      new URL(`${this.options.redirectUrl}?${query}`),
      {
        expectedState: state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.codeVerifier,
        idTokenExpected: true,
      },
    );
    const idToken = tokens.claims();
    if (!idToken) throw new Error('the provider sent no ID token');
    const claims =
      idToken['email'] === undefined
        ? await client.fetchUserInfo(configuration, tokens.access_token, idToken.sub)
        : idToken;
    const { email, email_verified: isVerified, name } = claims;
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      email: typeof email === 'string' && isVerified === true ? email : null,
      name: typeof name === 'string' ? toUserName(name) : null,
      hasTwoFactors: this.options.alwaysTwoFactors || namesMultipleFactors(idToken['amr']),
    };
  }

  /** Discovered with the first sign-in, and again after a failure. */
  private async getConfiguration(): Promise<Configuration> {
    this.configuration ??= this.discover();
    try {
      return await this.configuration;
    } catch (cause) {
      this.configuration = undefined;
      throw new ServiceError('service_unavailable', {
        detail: 'The OpenID Connect provider does not answer.',
        retryAfter: 5,
        cause,
      });
    }
  }

  private async discover(): Promise<Configuration> {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.options;
    const url = new URL(issuer);
    return discovery(url, clientId, clientSecret, undefined, {
      timeout: TIMEOUT_SECONDS,
      execute: [
        // By default the library verifies no signature of ID tokens, because they come over TLS.
        enableNonRepudiationChecks,
        // The configuration permits it on loopback only.
        ...(url.protocol === 'http:' ? [allowInsecureRequests] : []),
      ],
    });
  }
}

const MAX_NAME_LENGTH = 100;

/** Without control characters and those that change the direction of the text, which users cannot enter either. */
function toUserName(claim: string): string {
  const printable = replaceControlAndDirectionCharacters(claim.toWellFormed(), () => '');
  return printable.trim().slice(0, MAX_NAME_LENGTH).toWellFormed();
}

/** @param methods the claim `amr` of the ID token */
function namesMultipleFactors(methods: unknown): boolean {
  return Array.isArray(methods) && methods.includes(MULTIPLE_FACTORS);
}
