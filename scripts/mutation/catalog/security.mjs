import { ACCOUNT_ISOLATION } from './security/account-isolation.mjs';
import { AUTHENTICATION } from './security/authentication.mjs';
import { CONSOLE_JOBS } from './security/console-jobs.mjs';
import { CONSOLE_UPLOADS } from './security/console-uploads.mjs';
import { ENCRYPTION_AT_REST } from './security/encryption-at-rest.mjs';
import { FOREIGN_IDS } from './security/foreign-ids.mjs';
import { LOAD_SHEDDING } from './security/load-shedding.mjs';
import { OBJECT_TRANSFERS } from './security/object-transfers.mjs';
import { OPERATOR_AUDIT } from './security/operator-audit.mjs';
import { OUTBOUND_REQUESTS } from './security/outbound-requests.mjs';
import { OUTPUT_ESCAPING } from './security/output-escaping.mjs';
import { COMMAND_LINE_SIGN_IN } from './security/command-line-sign-in.mjs';
import { PEOPLE } from './security/people.mjs';
import { RECEIVED_WEBHOOKS } from './security/received-webhooks.mjs';
import { REQUEST_LIMITS } from './security/request-limits.mjs';
import { ROUTES } from './security/routes.mjs';
import { SIGNED_URLS } from './security/signed-urls.mjs';
import { IDENTITIES } from './security/identities.mjs';
import { SIGN_IN } from './security/sign-in.mjs';
import { TWO_FACTORS } from './security/two-factors.mjs';
import { UNTRUSTED_MEDIA } from './security/untrusted-media.mjs';

/** Only authorized requests have effects, and accounts are isolated. @type {import('../mutation.mjs').Mutation[]} */
export const SECURITY = [
  ...OUTBOUND_REQUESTS,
  ...SIGNED_URLS,
  ...OBJECT_TRANSFERS,
  ...AUTHENTICATION,
  ...PEOPLE,
  ...COMMAND_LINE_SIGN_IN,
  ...SIGN_IN,
  ...TWO_FACTORS,
  ...IDENTITIES,
  ...ENCRYPTION_AT_REST,
  ...ACCOUNT_ISOLATION,
  ...FOREIGN_IDS,
  ...OPERATOR_AUDIT,
  ...CONSOLE_JOBS,
  ...CONSOLE_UPLOADS,
  ...ROUTES,
  ...UNTRUSTED_MEDIA,
  ...REQUEST_LIMITS,
  ...LOAD_SHEDDING,
  ...OUTPUT_ESCAPING,
  ...RECEIVED_WEBHOOKS,
];
