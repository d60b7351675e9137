import type { ErrorCatalogueEntry } from './error-catalogue-entry.js';

/** Returned by the routes of the console only. */
export const CONSOLE_ERRORS = {
  sign_in_failed: {
    status: 401,
    title: 'The sign-in failed.',
    when: 'The mail address, password, code, link or passkey is wrong, used or expired, or the user is disabled.',
    remedy: 'Try again, or have a new link sent.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  not_signed_in: {
    status: 401,
    title: 'Nobody is signed in.',
    when: 'The session cookie is missing, or its session has ended.',
    remedy: 'Sign in.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  recent_sign_in_required: {
    status: 403,
    title: 'The sign-in is too long ago.',
    when: 'A user without a password changes a way to sign in, or ends sessions, and signed in more than ten minutes ago.',
    remedy: 'Sign out, sign in again, and repeat the change.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  permission_denied: {
    status: 403,
    title: 'The role does not permit this.',
    when: 'The role of the user in the account lacks the permission that `detail` names.',
    remedy: 'Ask an owner or admin of the account.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  cross_site_request: {
    status: 403,
    title: 'The request does not come from the console.',
    when: 'A request that changes something has another `Origin`, or not the header `X-Console: 1`.',
    remedy: 'Use the console at its own address (`PUBLIC_URL`).',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  no_such_resource: {
    status: 404,
    title: 'The account has no such resource.',
    when: 'An id in the path is unknown, or belongs to another account.',
    remedy: 'Load the list again.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  account_switched: {
    status: 409,
    title: 'The session shows another account.',
    when: '`X-Console-Account` names another account than the session shows, which another tab of the browser has switched.',
    remedy: 'Load the page again.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
  conflict: {
    status: 409,
    title: 'The present state does not permit this.',
    when: 'Such as removing the last owner of an account, or inviting a member; `detail` has the reason.',
    remedy: 'See `detail`.',
    retry: 'no',
    onlyRoutes: '/console/api',
  },
} as const satisfies Record<string, ErrorCatalogueEntry>;
