/** Who may use a route: a permission in the account, its members, any signed-in user, or anyone. */
export interface ConsoleRoute {
  method: string;
  /** Below `/console/api/`. */
  path: string;
  access: string;
}

/** Every route of the console; `console-routes.test.ts` compares it with the controllers. */
export const CONSOLE_ROUTES: readonly ConsoleRoute[] = `
DELETE billing/auto-recharge billing.write
DELETE billing/card billing.write
DELETE invitations/:id members.write
DELETE keys/:id keys.revoke_own
DELETE members/:userId members.write
DELETE profile/passkeys/:id signed_in
DELETE profile/second-factor signed_in
DELETE profile/sessions/:id signed_in
DELETE webhook-endpoints/:id webhooks.write
GET account members.read
DELETE jobs/:job_id jobs.write
GET audit audit.read
GET balance usage.read
GET billing billing.write
GET billing/payments billing.write
GET deliveries webhooks.read
GET deliveries/:id webhooks.read
GET invitations members.write
GET jobs jobs.read
GET jobs/:job_id jobs.read
GET jobs/:job_id/corrections jobs.read
GET jobs/:job_id/stream jobs.read
GET jobs/:job_id/transcript jobs.read
GET keys keys.read
GET ledger usage.read
GET limit-requests keys.read
GET members members.read
GET profile/events signed_in
GET profile/passkeys signed_in
GET profile/sessions signed_in
GET sample-audio jobs.read
GET session signed_in
GET sign-in/methods anyone
GET sign-in/oidc/callback anyone
GET usage usage.read
POST account/end account.write
POST billing/payments/:id/refresh billing.write
POST billing/top-ups billing.write
GET webhook-endpoints webhooks.read
POST deliveries/:id/replay webhooks.write
POST deliveries/replay-failed webhooks.write
PATCH jobs/:job_id/speakers jobs.write
POST invitation/accept anyone
POST invitation/preview anyone
POST invitations members.write
POST jobs/sample jobs.write
POST jobs/:job_id/cancel jobs.write
POST keys keys.create
POST limit-requests limits.request
POST members/leave member
POST profile/passkeys signed_in
POST profile/passkeys/options signed_in
POST profile/second-factor signed_in
POST profile/second-factor/enable signed_in
POST profile/sessions/end-others signed_in
POST session/second-factor signed_in
POST command-line/approve keys.create
POST command-line/poll anyone
POST command-line/preview keys.create
POST command-line/refuse keys.create
POST command-line/start anyone
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
PUT account account.write
PUT account/retention retention.write
PUT account/two-factors two_factors.write
PUT billing/alert billing.write
PUT billing/auto-recharge billing.write
POST webhook-endpoints webhooks.write
POST webhook-endpoints/:id/test webhooks.write
POST upload jobs.write
POST upload/complete jobs.write
POST upload/multipart/abort jobs.write
POST upload/multipart/complete jobs.write
POST upload/multipart/create jobs.write
POST upload/progress jobs.write
PUT jobs/:job_id/corrections/:segment jobs.write
PUT members/:userId/role members.write
PUT profile/passkeys/:id signed_in
PUT profile/name signed_in
PUT profile/password signed_in
PUT session/account signed_in
PUT webhook-endpoints/:id webhooks.write
DELETE vocabularies/:id vocabularies.write
GET vocabularies vocabularies.read
GET vocabularies/:id vocabularies.read
POST vocabularies vocabularies.write
PUT vocabularies/:id vocabularies.write
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
  'vocabularies.read': ['owner', 'admin', 'member', 'viewer'],
  'vocabularies.write': ['owner', 'admin', 'member'],
  'jobs.write': ['owner', 'admin', 'member'],
  'keys.create': ['owner', 'admin', 'member'],
  'keys.revoke_own': ['owner', 'admin', 'member'],
  'signing_secret.reveal': ['owner', 'admin', 'member'],
  'webhooks.write': ['owner', 'admin', 'member'],
  'keys.revoke_any': ['owner', 'admin'],
  'signing_secret.rotate': ['owner', 'admin'],
  'limits.request': ['owner', 'admin'],
  'billing.write': ['owner', 'admin'],
  'retention.write': ['owner', 'admin'],
  'two_factors.write': ['owner', 'admin'],
  'members.write': ['owner', 'admin'],
  'audit.read': ['owner', 'admin'],
  'owners.write': ['owner'],
  'account.write': ['owner'],
};
