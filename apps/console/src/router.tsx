import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isNotSignedInError, isTransientError, isSessionOutdatedError } from './api/client.ts';
import { removeCachedSessionData, sessionQueryOptions } from './api/queries.ts';
import { parseAuditSearchParams } from './lib/audit-search.ts';
import { parseBillingSearchParams } from './lib/billing-search.ts';
import { usePastedLinkCount } from './lib/link-token.ts';
import { lazyPage } from './lib/lazy-page.ts';
import { parseSafeReturnPath } from './lib/return-path.ts';
import { parseSignInSearchParams } from './lib/sign-in-search.ts';
import { parseJobSearchParams } from './pages/jobs/job-search.ts';
import { FailedPage, NotFoundPage } from './pages/problem-pages.tsx';
import { Shell } from './pages/shell.tsx';
import { SignInPage } from './pages/sign-in/sign-in.tsx';
import { deleteCorrectionDraftsOfOtherUsers, storeCorrectionDrafts } from './transcript/correction-drafts.ts';
import {
  deleteAllButUnsentUploads,
  deleteUploadsOfOtherUsers,
} from './uploads/delete-uploads-of-ended-sessions.ts';

const MAX_RETRIES = 2;
const delayRetry = (count: number) => 500 * 2 ** count;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followSession }),
  mutationCache: new MutationCache({ onError: readSessionAgain }),
  defaultOptions: {
    queries: {
      // The browser's opinion of being online is wrong behind a VPN; a request shows the truth.
      networkMode: 'always',
      // Not the default in this mode: what failed meanwhile comes back with the connection.
      refetchOnReconnect: true,
      // Another tab may have renewed the session while the request was on its way with the cookie before.
      retry: (count, error) =>
        isNotSignedInError(error) ? count === 0 : count < MAX_RETRIES && isTransientError(error),
      retryDelay: delayRetry,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: RootPage,
  notFoundComponent: NotFoundPage,
});

/** A page whose link is pasted again begins again. */
function RootPage() {
  return <Outlet key={usePastedLinkCount()} />;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: parseSignInSearchParams,
  component: SignInPage,
});

const setPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-password',
  component: lazyPage(() => import('./pages/sign-in/set-password.tsx'), 'SetPasswordPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyPage(() => import('./pages/sign-in/forgot-password.tsx'), 'ForgotPasswordPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyPage(() => import('./pages/sign-in/invitation.tsx'), 'InvitationPage'),
});

let isStarting = true;

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  loader: async ({ context, location }) => {
    const isStart = isStarting;
    isStarting = false;
    try {
      const session = await context.queryClient.ensureQueryData({
        ...sessionQueryOptions,
        // Users without a session do not wait long for the sign-in.
        retryDelay: (count, error) => (isNotSignedInError(error) ? 100 : delayRetry(count)),
      });
      deleteCorrectionDraftsOfOtherUsers(session.user.id);
      // Without storage there are none.
      void deleteUploadsOfOtherUsers(session.user.id).catch(() => undefined);
      return session;
    } catch (error) {
      if (!isNotSignedInError(error)) throw error;
      // A session that ended in an open tab leaves its uploads to the next sign-in.
      if (isStart) void deleteAllButUnsentUploads().catch(() => undefined);
      const path = parseSafeReturnPath(location.href);
      return redirect({
        throw: true,
        to: '/sign-in',
        search: path !== null && path !== '/' ? { return: path } : {},
        replace: true,
      });
    }
  },
  component: Shell,
});

const startRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  component: lazyPage(() => import('./pages/welcome.tsx'), 'WelcomePage'),
});

const transcribeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/transcribe',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
    from: typeof from === 'string' ? from : undefined,
  }),
  component: lazyPage(() => import('./pages/transcribe/transcribe.tsx'), 'TranscribePage'),
});

const transcriptRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId/transcript',
  component: lazyPage(() => import('./pages/transcript/transcript.tsx'), 'TranscriptPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  validateSearch: parseJobSearchParams,
  component: lazyPage(() => import('./pages/jobs/jobs.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId',
  component: lazyPage(() => import('./pages/jobs/job.tsx'), 'JobPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  component: lazyPage(() => import('./pages/members/members.tsx'), 'MembersPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: parseAuditSearchParams,
  component: lazyPage(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
});

const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing',
  validateSearch: parseBillingSearchParams,
  component: lazyPage(() => import('./pages/billing/page.tsx'), 'BillingPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: lazyPage(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
});

const commandLineRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/command-line',
  component: lazyPage(() => import('./pages/sign-in/command-line-sign-in.tsx'), 'CommandLineSignInPage'),
});

const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: ({
    status,
    endpoint,
    job,
  }: Record<string, unknown>): {
    status?: string | undefined;
    endpoint?: string | undefined;
    job?: string | undefined;
  } => ({
    status: typeof status === 'string' ? status : undefined,
    endpoint: typeof endpoint === 'string' ? endpoint : undefined,
    job: typeof job === 'string' ? job : undefined,
  }),
  component: lazyPage(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/deliveries/$deliveryId',
  component: lazyPage(() => import('./pages/webhooks/delivery.tsx'), 'DeliveryPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyPage(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
});

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyPage(() => import('./pages/profile/profile.tsx'), 'ProfilePage'),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    setPasswordRoute,
    forgotPasswordRoute,
    invitationRoute,
    shellRoute.addChildren([
      startRoute,
      transcribeRoute,
      transcriptRoute,
      jobsRoute,
      jobRoute,
      membersRoute,
      auditRoute,
      billingRoute,
      settingsRoute,
      profileRoute,
      keysRoute,
      commandLineRoute,
      webhooksRoute,
      deliveryRoute,
    ]),
  ]),
  basepath: new URL(document.baseURI).pathname,
  context: { queryClient },
  scrollRestoration: true,
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: NotFoundPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }

  interface HistoryState {
    /** Shown on the page that a change led to, such as the end of an account. */
    notice?: string;
  }
}

/** Another tab may have ended the session or switched its account, or the account requires more: the shell then says so, and shows what a new role allows. */
function followSession(error: unknown): void {
  if (isNotSignedInError(error)) leaveShell();
  else readSessionAgain(error);
}

/** A change is not sent again, so that its error does not show whether the session has ended or was renewed. */
function readSessionAgain(error: unknown): void {
  if (isSessionOutdatedError(error))
    // A user who presses a button again and again must not delay the response again and again.
    void queryClient.invalidateQueries(sessionQueryOptions, { cancelRefetch: !isNotSignedInError(error) });
}

/** A session that ended while a page was open. The shell's loader handles one that was not there. */
function leaveShell(): void {
  const isInShell = router.state.matches.some(({ routeId }) => routeId === '/shell');
  if (!isInShell || router.state.status === 'pending') return;
  const path = parseSafeReturnPath(router.state.location.href);
  void showSignIn(path);
}

async function showSignIn(path: string | null): Promise<void> {
  storeCorrectionDrafts();
  await router.navigate({
    to: '/sign-in',
    search: { reason: 'ended', ...(path !== null && { return: path }) },
    // Nothing can be saved any more; what was typed in corrections is kept.
    ignoreBlocker: true,
  });
  removeCachedSessionData(queryClient);
}
