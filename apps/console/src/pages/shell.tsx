import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  type AnyRoute,
  type AnyRouter,
  Link,
  Outlet,
  useLocation,
  useMatchRoute,
  useNavigate,
  useRouter,
} from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { requestJson } from '../api/client.ts';
import { reloadSessionAfterAccountSwitch, sessionQueryOptions } from '../api/queries.ts';
import type { Permission, Session } from '../api/types.ts';
import { BillingBanner } from '../components/billing-banner.tsx';
import { LeaveGuard, useLeaveQuestion } from '../components/leave-guard.tsx';
import { Menu, MenuRadioGroup, MenuLabel } from '../components/menu.tsx';
import { ActionErrorNotice, Notice } from '../components/notice.tsx';
import { IsInsideShellContext } from '../components/page.tsx';
import { lacksRequiredSecondFactor } from '../lib/lacks-required-second-factor.ts';
import { runWhenIdle } from '../lib/run-when-idle.ts';
import { texts } from '../texts/index.ts';
import { storeCorrectionDrafts } from '../transcript/correction-drafts.ts';
import { continueUploadsWhenIdle } from '../uploads/continue-uploads-when-idle.ts';
import { buildUploadOwnerKey } from '../uploads/owner.ts';
import { SwitchedAccountPage } from './problem-pages.tsx';
import { UserMenu } from './user-menu.tsx';

/** Few users see it, so that it is not part of the first paint. */
const TwoFactorsPage = lazy(async () => ({
  default: (await import('./sign-in/second-factor-required.tsx')).SecondFactorRequiredPage,
}));

/** The permission is of the route's data. */
const LINKS = [
  { to: '/', label: texts.navigation.welcome, permission: 'jobs.read' },
  { to: '/transcribe', label: texts.navigation.transcribe, permission: 'jobs.write' },
  { to: '/jobs', label: texts.navigation.jobs, permission: 'jobs.read' },
  { to: '/keys', label: texts.navigation.keys, permission: 'keys.read' },
  { to: '/webhooks', label: texts.navigation.webhooks, permission: 'webhooks.read' },
  { to: '/members', label: texts.navigation.members, permission: 'members.read' },
  { to: '/billing', label: texts.navigation.billing, permission: 'usage.read' },
  { to: '/settings', label: texts.navigation.settings, permission: 'members.read' },
  { to: '/audit', label: texts.navigation.audit, permission: 'audit.read' },
] as const;

export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const main = useRef<HTMLElement>(null);
  const links = useRef<HTMLUListElement>(null);
  const router = useRouter();
  // In a narrow window the links scroll sideways.
  useEffect(
    () => router.subscribe('onRendered', () => links.current && scrollToPresentLink(links.current)),
    [router],
  );
  useEffect(() => loadOtherPagesWhenIdle(router), [router]);
  const isBlocked = lacksRequiredSecondFactor(session);
  const isPageReplaced = !session.is_of_shown_account || isBlocked;
  // Before the effects of its fields end.
  useLayoutEffect(() => {
    if (isPageReplaced) storeCorrectionDrafts();
  }, [isPageReplaced]);
  useContinueUploads(isPageReplaced ? null : session);
  if (!session.is_of_shown_account) return <SwitchedAccountPage />;
  return (
    <div className="min-h-dvh">
      <button
        type="button"
        className="bg-surface sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-20 focus:rounded focus:px-3 focus:py-2"
        onClick={() => main.current?.focus()}
      >
        {texts.skip}
      </button>
      <header className="border-line bg-surface border-b">
        <div className="mx-auto flex max-w-6xl items-center gap-2 px-4 py-2">
          <p className="mr-auto min-w-0 truncate font-semibold max-sm:sr-only">{texts.product}</p>
          <AccountMenu session={session} />
          {/* A long name of the account leaves room for that of the user. */}
          <div className="max-w-[45%] shrink-0 sm:max-w-60">
            <UserMenu session={session} />
          </div>
        </div>
        <nav aria-label={texts.navigation.label} className="mx-auto max-w-6xl px-2">
          <ul
            ref={links}
            className="flex overflow-x-auto whitespace-nowrap max-sm:mask-x-from-[calc(100%-1.25rem)] max-sm:px-3 sm:flex-wrap"
          >
            {LINKS.filter((link) => isAllowed(session, link.permission)).map(({ to, label }) => (
              <li key={to}>
                <Link
                  to={to}
                  className="text-muted hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink inline-block border-b-2 border-transparent px-2 py-2 font-medium"
                >
                  {label}
                </Link>
              </li>
            ))}
            <li className="sm:ml-auto">
              <a
                href={new URL('../docs', document.baseURI).href}
                className="text-muted hover:text-ink inline-block px-2 py-2"
              >
                {texts.navigation.reference}
              </a>
            </li>
          </ul>
        </nav>
      </header>
      <OfflineBar />
      <LeaveGuard />
      {session.account && !isBlocked && <BillingBanner account={session.account} />}
      <main ref={main} tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none">
        <NavigationNotice />
        <IsInsideShellContext value={true}>
          <ShellPage session={session} isBlocked={isBlocked} />
        </IsInsideShellContext>
      </main>
    </div>
  );
}

/** `scrollIntoView` would scroll the page as well. */
function scrollToPresentLink(links: HTMLElement): void {
  const link = links.querySelector('[aria-current=page]')?.getBoundingClientRect();
  const box = links.getBoundingClientRect();
  if (link) links.scrollLeft += link.left + link.width / 2 - (box.left + box.width / 2);
}

/** So that a lost connection keeps no page from opening. What could not be loaded is tried again when the browser is online again. */
function loadOtherPagesWhenIdle(router: AnyRouter): () => void {
  let cancel = () => {};
  const schedule = () => {
    cancel();
    cancel = runWhenIdle(() => {
      // Does nothing for a page that is loaded.
      for (const route of Object.values(router.routesById as Record<string, AnyRoute>))
        router.loadRouteChunk(route)?.catch(() => undefined);
    });
  };
  schedule();
  globalThis.addEventListener('online', schedule);
  return () => {
    globalThis.removeEventListener('online', schedule);
    cancel();
  };
}

/** @param session null while it may send nothing for the account */
function useContinueUploads(session: Session | null): void {
  const queryClient = useQueryClient();
  const owner = session && isAllowed(session, 'jobs.write') ? buildUploadOwnerKey(session) : null;
  useEffect(
    () => (owner === null ? undefined : continueUploadsWhenIdle(queryClient, owner)),
    [queryClient, owner],
  );
}

/** What happened on the page before, such as the end of an account. The next navigation removes it. */
function NavigationNotice() {
  const notice = useLocation({ select: ({ state }) => state.notice });
  if (notice === undefined) return null;
  return (
    <div className="mb-5">
      <Notice kind="success">{notice}</Notice>
    </div>
  );
}

/** The page of the address, or the one that sets a second factor up, which stays while its recovery codes are shown. */
function ShellPage({ session, isBlocked }: { session: Session; isBlocked: boolean }) {
  const isProfile = useMatchRoute()({ to: '/profile' }) !== false;
  const [isSettingUp, setSettingUp] = useState(false);
  if ((!isBlocked && !isSettingUp) || isProfile) return <Outlet />;
  return (
    <Suspense>
      <TwoFactorsPage key={session.account?.id} session={session} onSettingUp={setSettingUp} />
    </Suspense>
  );
}

function isAllowed({ account }: Session, permission: Permission): boolean {
  return account?.permissions.includes(permission) ?? false;
}

function AccountMenu({ session: { account, accounts } }: { session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { askBefore, dialog } = useLeaveQuestion();
  const change = useMutation({
    mutationFn: (accountId: string) => requestJson<void>('PUT', 'session/account', { account_id: accountId }),
    onSuccess: async () => {
      await reloadSessionAfterAccountSwitch(queryClient);
      await navigate({ to: '/', ignoreBlocker: true });
    },
  });
  if (accounts.length === 0) return null;
  return (
    <>
      <Menu
        label={`${texts.navigation.account}: ${account?.name ?? ''}`}
        trigger={account?.name ?? texts.navigation.account}
      >
        <MenuLabel>{texts.navigation.switchAccount}</MenuLabel>
        <MenuRadioGroup
          label={texts.navigation.switchAccount}
          value={account?.id ?? ''}
          options={accounts.map(({ id, name, role }) => ({
            value: id,
            label: accounts.some((other) => other.name === name && other.id !== id)
              ? texts.accountWithId(name, id)
              : name,
            note: texts.roles[role],
          }))}
          onChange={(id) => {
            if (id !== account?.id) askBefore(() => change.mutate(id));
          }}
        />
      </Menu>
      {dialog}
      <ActionErrorNotice error={change.error} />
    </>
  );
}

function OfflineBar() {
  const isOnline = useSyncExternalStore(
    (onChange) => {
      const names = ['online', 'offline'] as const;
      for (const name of names) globalThis.addEventListener(name, onChange);
      return () => {
        for (const name of names) globalThis.removeEventListener(name, onChange);
      };
    },
    () => navigator.onLine,
  );
  return (
    <div role="status">
      {!isOnline && <p className="bg-danger-soft px-4 py-2 text-center">{texts.errors.offlineBar}</p>}
    </div>
  );
}
