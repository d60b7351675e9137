import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import {
  isAccountSwitchedError,
  isNotSignedInError,
  isTwoFactorsRequiredError,
  isTransientError,
} from './api/client.ts';
import { sessionQueryOptions } from './api/queries.ts';
import { parseBillingSearchParams } from './lib/billing-search.ts';
import { parseSafeReturnPath } from './lib/return-path.ts';
import { parseSignInSearchParams } from './lib/sign-in-search.ts';
import { parseJobSearchParams } from './pages/jobs/job-search.ts';
import { FailedPage, NotFoundPage } from './pages/problem-pages.tsx';
import { Shell } from './pages/shell.tsx';
import { SignInPage } from './pages/sign-in.tsx';
import { deleteUploadsOfOtherUsers } from './uploads/delete-uploads-of-other-users.ts';
import { deleteUploadDatabase } from './uploads/upload-database.ts';

const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: followSession }),
  mutationCache: new MutationCache({ onError: followSession }),
  defaultOptions: {
    queries: {
      // The browser's opinion of being online is wrong behind a VPN; a request shows the truth.
      networkMode: 'always',
      retry: (count, error) => count < MAX_RETRIES && isTransientError(error),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFoundPage,
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: parseSignInSearchParams,
  component: SignInPage,
});

const setPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-password',
  component: lazyRouteComponent(() => import('./pages/set-password.tsx'), 'SetPasswordPage'),
});

const forgotPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/forgot-password.tsx'), 'ForgotPasswordPage'),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/invitation.tsx'), 'InvitationPage'),
});

let isStarting = true;

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  loader: async ({ context, location }) => {
    const isStart = isStarting;
    isStarting = false;
    try {
      const session = await context.queryClient.ensureQueryData(sessionQueryOptions);
      // Without storage there are none.
      void deleteUploadsOfOtherUsers(session.user.id).catch(() => undefined);
      return session;
    } catch (error) {
      if (!isNotSignedInError(error)) throw error;
      // A session that ended in an open tab leaves its uploads to the next sign-in.
      if (isStart) deleteUploadDatabase();
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
  component: lazyRouteComponent(() => import('./pages/welcome.tsx'), 'WelcomePage'),
});

const transcribeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/transcribe',
  validateSearch: ({ from }: Record<string, unknown>): { from?: string | undefined } => ({
    from: typeof from === 'string' ? from : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/transcribe/transcribe.tsx'), 'TranscribePage'),
});

const transcriptRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId/transcript',
  component: lazyRouteComponent(() => import('./pages/transcript/transcript.tsx'), 'TranscriptPage'),
});

const jobsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs',
  validateSearch: parseJobSearchParams,
  component: lazyRouteComponent(() => import('./pages/jobs/jobs.tsx'), 'JobsPage'),
});

const jobRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/jobs/$jobId',
  component: lazyRouteComponent(() => import('./pages/jobs/job.tsx'), 'JobPage'),
});

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members.tsx'), 'MembersPage'),
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: ({
    action,
    who,
    since,
    until,
  }: Record<string, unknown>): {
    action?: string | undefined;
    /** A kind of actors, or the id of one. */
    who?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
  } => ({
    action: typeof action === 'string' ? action : undefined,
    who: typeof who === 'string' ? who : undefined,
    since: typeof since === 'string' ? since : undefined,
    until: typeof until === 'string' ? until : undefined,
  }),
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
});

const billingRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/billing',
  validateSearch: parseBillingSearchParams,
  component: lazyRouteComponent(() => import('./pages/billing/page.tsx'), 'BillingPage'),
});

const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys.tsx'), 'KeysPage'),
});

const commandLineRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/command-line',
  component: lazyRouteComponent(() => import('./pages/command-line-sign-in.tsx'), 'CommandLineSignInPage'),
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
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks.tsx'), 'WebhooksPage'),
});

const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/deliveries/$deliveryId',
  component: lazyRouteComponent(() => import('./pages/webhooks/delivery.tsx'), 'DeliveryPage'),
});

const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings.tsx'), 'SettingsPage'),
});

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: lazyRouteComponent(() => import('./pages/profile.tsx'), 'ProfilePage'),
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

/** Another tab may have ended the session or switched its account, or the account requires more: the shell then says so. */
function followSession(error: unknown): void {
  if (isAccountSwitchedError(error) || isTwoFactorsRequiredError(error))
    void queryClient.invalidateQueries(sessionQueryOptions);
  else leaveIfSignedOut(error);
}

/** A session that ended while a page was open. The shell's loader handles one that was not there. */
function leaveIfSignedOut(error: unknown): void {
  const isInShell = router.state.matches.some(({ routeId }) => routeId === '/shell');
  if (!isNotSignedInError(error) || !isInShell || router.state.status === 'pending') return;
  const path = parseSafeReturnPath(router.state.location.href);
  void showSignIn(path);
}

async function showSignIn(path: string | null): Promise<void> {
  await router.navigate({
    to: '/sign-in',
    search: { reason: 'ended', ...(path !== null && { return: path }) },
  });
  queryClient.clear();
}
