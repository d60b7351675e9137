/** Who may use a route: a permission in the account, any signed-in user, or anyone. */
export interface ConsoleRoute {
  method: string;
  /** Below `/console/api/`. */
  path: string;
  access: string;
}

/** Every route of the console; `console-routes.test.ts` compares it with the controllers. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = `
DELETE invitations/:id members.write
DELETE keys/:id keys.revoke_own
DELETE members/:userId members.write
DELETE profile/passkeys/:id signed_in
DELETE profile/second-factor signed_in
DELETE profile/sessions/:id signed_in
GET audit audit.read
GET balance usage.read
GET invitations members.write
GET keys keys.read
GET ledger usage.read
GET limit-requests keys.read
GET members members.read
GET profile/passkeys signed_in
GET profile/sessions signed_in
GET session signed_in
GET sign-in/methods anyone
GET sign-in/oidc/callback anyone
GET usage usage.read
POST invitation/accept anyone
POST invitation/preview anyone
POST invitations members.write
POST keys keys.create
POST limit-requests limits.request
POST members/leave members.read
POST profile/passkeys signed_in
POST profile/passkeys/options signed_in
POST profile/second-factor signed_in
POST profile/second-factor/enable signed_in
POST sign-in anyone
POST sign-in/forgot-password anyone
POST sign-in/link anyone
POST sign-in/oidc anyone
POST sign-in/passkey anyone
POST sign-in/passkey/options anyone
POST sign-in/second-factor anyone
POST sign-in/set-password anyone
POST sign-out anyone
POST signing-secret/reveal signing_secret.reveal
POST signing-secret/rotate signing_secret.rotate
PUT members/:userId/role members.write
PUT profile/passkeys/:id signed_in
PUT profile/password signed_in
PUT session/account signed_in
`
  .trim()
  .split('\n')
  .map((line) => {
    const [method = '', path = '', access = ''] = line.split(' ');
    return { method, path, access };
  });

/** The table of the design, written again: a change of the service's own table must be made here, too. */
export const ROLES_BY_PERMISSION: Readonly<Record<string, readonly string[]>> = {
  'jobs.read': ['owner', 'admin', 'member', 'viewer'],
  'usage.read': ['owner', 'admin', 'member', 'viewer'],
  'webhooks.read': ['owner', 'admin', 'member', 'viewer'],
  'members.read': ['owner', 'admin', 'member', 'viewer'],
  'keys.read': ['owner', 'admin', 'member', 'viewer'],
  'jobs.write': ['owner', 'admin', 'member'],
  'keys.create': ['owner', 'admin', 'member'],
  'keys.revoke_own': ['owner', 'admin', 'member'],
  'signing_secret.reveal': ['owner', 'admin', 'member'],
  'webhooks.write': ['owner', 'admin', 'member'],
  'keys.revoke_any': ['owner', 'admin'],
  'signing_secret.rotate': ['owner', 'admin'],
  'limits.request': ['owner', 'admin'],
  'billing.write': ['owner', 'admin'],
  'members.write': ['owner', 'admin'],
  'audit.read': ['owner', 'admin'],
  'owners.write': ['owner'],
  'account.write': ['owner'],
};
