import { isIP } from 'node:net';
import type { OidcOptions, RelyingParty } from '@app/auth';
import { type BootContext, resolvePublicUrl } from '@app/runtime';

/** Where `OidcSignIn` is finished; registered at the provider. */
const OIDC_CALLBACK_PATH = '/console/api/sign-in/oidc/callback';

type Configured = Pick<BootContext, 'config'>;

export function buildPasskeyAndOidcOptions(context: Configured): {
  relyingParty: RelyingParty | null;
  oidc: OidcOptions | null;
} {
  const publicUrl = resolvePublicUrl(context);
  return { relyingParty: toRelyingParty(new URL(publicUrl)), oidc: buildOidcOptions(context, publicUrl) };
}

/** @returns null where browsers permit no passkeys: at an IP address, and without TLS except on `localhost` */
function toRelyingParty({ protocol, hostname, origin }: URL): RelyingParty | null {
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  return isName && (protocol === 'https:' || hostname === 'localhost') ? { id: hostname, origin } : null;
}

function buildOidcOptions({ config }: Configured, publicUrl: string): OidcOptions | null {
  const { issuer, clientId, clientSecret, alwaysTwoFactors, allowedDomains } = config.oidc;
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return null;
  const redirectUrl = `${publicUrl}${OIDC_CALLBACK_PATH}`;
  return { issuer, clientId, clientSecret, alwaysTwoFactors, allowedDomains, redirectUrl };
}
