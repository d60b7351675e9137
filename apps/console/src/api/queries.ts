import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request } from './client.ts';
import type { AuditFilter, AuditPage, BrowserSession, Invitation, Member, Session } from './types.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: () => request<Session>('GET', 'session'),
  staleTime: 30_000,
});

/** Keys of an account's data begin with its id, so that a switch shows nothing of the account before. */
export const membersQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'members'],
    queryFn: async () => (await request<{ members: Member[] }>('GET', 'members')).members,
  });

export const invitationsQuery = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'invitations'],
    queryFn: async () => (await request<{ invitations: Invitation[] }>('GET', 'invitations')).invitations,
  });

export const auditQuery = (accountId: string, filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: [accountId, 'audit', filter],
    queryFn: ({ pageParam }) =>
      request<AuditPage>('GET', `audit${toQueryString({ ...filter, before: pageParam })}`),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
  });

export const browserSessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: async () => (await request<{ sessions: BrowserSession[] }>('GET', 'profile/sessions')).sessions,
});

function toQueryString(values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}
