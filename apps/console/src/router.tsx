import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { isNotSignedIn, isTransient } from './api/client.ts';
import { sessionQuery } from './api/queries.ts';
import { toReturnPath } from './lib/return-path.ts';
import { AuditPage } from './pages/audit.tsx';
import { InvitationPage } from './pages/invitation.tsx';
import { MembersPage } from './pages/members.tsx';
import { FailedPage, NoAccountPage, UnknownPage } from './pages/problem-pages.tsx';
import { ProfilePage } from './pages/profile.tsx';
import { SetPasswordPage } from './pages/set-password.tsx';
import { Shell } from './pages/shell.tsx';
import { SignInPage } from './pages/sign-in.tsx';

const MAX_RETRIES = 2;

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfSignedOut }),
  mutationCache: new MutationCache({ onError: leaveIfSignedOut }),
  defaultOptions: {
    queries: {
      // The browser's opinion of being online is wrong behind a VPN; a request shows the truth.
      networkMode: 'always',
      retry: (count, error) => count < MAX_RETRIES && isTransient(error),
      retryDelay: (count) => 500 * 2 ** count,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});

const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: UnknownPage,
});

const REASONS = ['ended', 'password_set'] as const;

interface SignInSearch {
  return?: string | undefined;
  reason?: (typeof REASONS)[number] | undefined;
}

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  // Every key is set: a key that is left out keeps the value of the address.
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    return: toReturnPath(search['return']) ?? undefined,
    reason: REASONS.find((reason) => reason === search['reason']),
  }),
  component: SignInPage,
});

const setPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/set-password',
  component: SetPasswordPage,
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invitation',
  component: InvitationPage,
});

const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  loader: async ({ context, location }) => {
    try {
      return await context.queryClient.ensureQueryData(sessionQuery);
    } catch (error) {
      if (!isNotSignedIn(error)) throw error;
      const path = toReturnPath(location.href);
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
  loader: async ({ context }) => {
    const { account } = await context.queryClient.ensureQueryData(sessionQuery);
    if (account) redirect({ throw: true, to: '/members', replace: true });
  },
  component: NoAccountPage,
});

const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  component: MembersPage,
});

const auditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/audit',
  validateSearch: ({
    action,
    since,
    until,
  }: Record<string, unknown>): {
    action?: string | undefined;
    since?: string | undefined;
    until?: string | undefined;
  } => ({
    action: typeof action === 'string' ? action : undefined,
    since: typeof since === 'string' ? since : undefined,
    until: typeof until === 'string' ? until : undefined,
  }),
  component: AuditPage,
});

const profileRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/profile',
  component: ProfilePage,
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    signInRoute,
    setPasswordRoute,
    invitationRoute,
    shellRoute.addChildren([startRoute, membersRoute, auditRoute, profileRoute]),
  ]),
  basepath: new URL(document.baseURI).pathname,
  context: { queryClient },
  defaultErrorComponent: FailedPage,
  defaultNotFoundComponent: UnknownPage,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** A session that ended while a page was open. The shell's loader handles one that was not there. */
function leaveIfSignedOut(error: unknown): void {
  const isInShell = router.state.matches.some(({ routeId }) => routeId === '/shell');
  if (!isNotSignedIn(error) || !isInShell || router.state.status === 'pending') return;
  const path = toReturnPath(router.state.location.href);
  void showSignIn(path);
}

async function showSignIn(path: string | null): Promise<void> {
  await router.navigate({
    to: '/sign-in',
    search: { reason: 'ended', ...(path !== null && { return: path }) },
  });
  queryClient.clear();
}
