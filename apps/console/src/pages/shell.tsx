import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate } from '@tanstack/react-router';
import { useRef, useSyncExternalStore } from 'react';
import { useSuspenseQuery } from '@tanstack/react-query';
import { request } from '../api/client.ts';
import { sessionQuery } from '../api/queries.ts';
import type { Session } from '../api/types.ts';
import { Menu, MenuChoice, MenuItem, MenuText } from '../components/menu.tsx';
import { ErrorNotice } from '../components/notice.tsx';
import { texts } from '../texts.ts';

/** The permission is of the route's data; null is for every user. */
const LINKS = [
  { to: '/members', label: texts.navigation.members, permission: 'members.read' },
  { to: '/audit', label: texts.navigation.audit, permission: 'audit.read' },
  { to: '/profile', label: texts.navigation.profile, permission: null },
] as const;

export function Shell() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  const main = useRef<HTMLElement>(null);
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
          <UserMenu session={session} />
        </div>
        <nav aria-label={texts.navigation.label} className="mx-auto max-w-6xl px-2">
          <ul className="flex flex-wrap">
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
            <li className="ml-auto max-sm:ml-0">
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
      <main ref={main} tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none">
        <Outlet />
      </main>
    </div>
  );
}

function isAllowed({ account }: Session, permission: string | null): boolean {
  return permission === null || (account?.permissions.includes(permission) ?? false);
}

function AccountMenu({ session: { account, accounts } }: { session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const change = useMutation({
    mutationFn: (accountId: string) => request<void>('PUT', 'session/account', { account_id: accountId }),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: '/' });
    },
  });
  if (accounts.length === 0) return null;
  return (
    <>
      <Menu
        label={`${texts.navigation.account}: ${account?.name ?? ''}`}
        trigger={account?.name ?? texts.navigation.account}
      >
        <MenuText>{texts.navigation.switchAccount}</MenuText>
        <MenuChoice
          label={texts.navigation.switchAccount}
          value={account?.id ?? ''}
          options={accounts.map(({ id, name, role }) => ({
            value: id,
            label: name,
            note: texts.roles[role],
          }))}
          onChange={(id) => change.mutate(id)}
        />
      </Menu>
      <ErrorNotice error={change.error} />
    </>
  );
}

function UserMenu({ session: { user } }: { session: Session }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = useMutation({
    mutationFn: () => request<void>('POST', 'sign-out'),
    onSuccess: async () => {
      await navigate({ to: '/sign-in' });
      queryClient.clear();
    },
  });
  return (
    <>
      <Menu label={`${texts.navigation.user}: ${user.name || user.email}`} trigger={user.name || user.email}>
        <MenuText>
          {texts.signedInAs} {user.email}
        </MenuText>
        <MenuItem onSelect={() => void navigate({ to: '/profile' })}>{texts.navigation.profile}</MenuItem>
        <MenuItem onSelect={() => signOut.mutate()}>{texts.navigation.signOut}</MenuItem>
      </Menu>
      <ErrorNotice error={signOut.error} />
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
