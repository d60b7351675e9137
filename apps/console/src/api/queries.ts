import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import { forgetShownAccount, keepShownAccount } from './shown-account.ts';
import type { AuditFilter, Schema, Session, SignInMethods } from './types.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await request<Session>('GET', 'session');
    // The answer to a cancelled request may be of the account before.
    const isShown = signal.aborted || keepShownAccount(session.account?.id ?? null);
    return { ...session, is_of_shown_account: isShown };
  },
  staleTime: 30_000,
});

/** After this tab has changed which account the session shows. */
export async function loadSwitchedSession(queryClient: QueryClient): Promise<void> {
  await queryClient.cancelQueries(sessionQuery);
  forgetShownAccount();
  await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** Keys of an account's data begin with its id, so that a switch shows nothing of the account before. */
export const membersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'members'],
    queryFn: async () => (await request<Schema<'MemberListResponse'>>('GET', 'members')).members,
  });

export const invitationsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'invitations'],
    queryFn: async () => (await request<Schema<'InvitationListResponse'>>('GET', 'invitations')).invitations,
  });

const auditPagesQuery = (queryKey: QueryKey, path: string, filter: AuditFilter = {}) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      request<Schema<'AuditPageResponse'>>(
        'GET',
        `${path}${toQueryString({ ...filter, before: pageParam })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
  });

export const auditQuery = (accountId: string, filter: AuditFilter) =>
  auditPagesQuery([accountId, 'audit', filter], 'audit', filter);

export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => request<SignInMethods>('GET', 'sign-in/methods'),
  staleTime: Infinity,
});

/** Begins the keys of what the profile lists. */
export const PROFILE_KEY = ['profile'] as const;

export const passkeysQuery = queryOptions({
  queryKey: [...PROFILE_KEY, 'passkeys'],
  queryFn: async () => (await request<Schema<'PasskeyListResponse'>>('GET', 'profile/passkeys')).passkeys,
});

export const userEventsQuery = auditPagesQuery([...PROFILE_KEY, 'events'], 'profile/events');

export const browserSessionsQuery = queryOptions({
  queryKey: [...PROFILE_KEY, 'sessions'],
  queryFn: async () => (await request<Schema<'SessionListResponse'>>('GET', 'profile/sessions')).sessions,
});

/** Without empty values. */
export function toQueryString(values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}
