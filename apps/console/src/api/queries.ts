import { infiniteQueryOptions, type QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query';
import { requestJson } from './client.ts';
import { forgetShownAccount, setShownAccountIfUnset } from './shown-account.ts';
import type { AuditFilter, ConsoleApiSchema, Session, OfferedSignInMethods } from './types.ts';

export const sessionQueryOptions = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = await requestJson<Session>('GET', 'session');
    // The response to a cancelled request may be of the account before.
    const isShown = signal.aborted || setShownAccountIfUnset(session.account?.id ?? null);
    return { ...session, is_of_shown_account: isShown };
  },
  staleTime: 30_000,
});

/**
 * After this tab has changed which account the session shows. Until the session is there, requests of the page name the
 * account that it shows, so that they change nothing in the other one. @throws as `requestJson`
 */
export async function reloadSessionAfterAccountSwitch(queryClient: QueryClient): Promise<void> {
  const session = await queryClient.fetchQuery({
    queryKey: ['session-after-switch'],
    queryFn: () => requestJson<Session>('GET', 'session'),
    staleTime: 0,
  });
  // Of the account before, perhaps.
  await queryClient.cancelQueries(sessionQueryOptions);
  forgetShownAccount();
  setShownAccountIfUnset(session.account?.id ?? null);
  queryClient.setQueryData(sessionQueryOptions.queryKey, { ...session, is_of_shown_account: true });
}

/** Keys of an account's data begin with its id, so that a switch shows nothing of the account before. */
export const membersQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'members'],
    queryFn: async () =>
      (await requestJson<ConsoleApiSchema<'MemberListResponse'>>('GET', 'members')).members,
  });

export const invitationsQueryOptions = (accountId: string) =>
  queryOptions({
    queryKey: [accountId, 'invitations'],
    queryFn: async () =>
      (await requestJson<ConsoleApiSchema<'InvitationListResponse'>>('GET', 'invitations')).invitations,
  });

const auditPagesQuery = (queryKey: QueryKey, path: string, filter: AuditFilter = {}) =>
  infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) =>
      requestJson<ConsoleApiSchema<'AuditPageResponse'>>(
        'GET',
        `${path}${toQueryString({ ...filter, before: pageParam })}`,
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
  });

export const auditEventsInfiniteQueryOptions = (accountId: string, filter: AuditFilter) =>
  auditPagesQuery([accountId, 'audit', filter], 'audit', filter);

export const offeredSignInMethodsQueryOptions = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => requestJson<OfferedSignInMethods>('GET', 'sign-in/methods'),
  staleTime: Infinity,
});

/**
 * Removes what a session that has ended has read and sent. The ways to sign in stay: the sign-in page, which is shown already,
 * would not learn of the response to its request for them.
 */
export function removeCachedSessionData(queryClient: QueryClient): void {
  const [methodsKey] = offeredSignInMethodsQueryOptions.queryKey;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== methodsKey });
  queryClient.getMutationCache().clear();
}

/** Begins the keys of what the profile lists. */
export const PROFILE_QUERY_KEY_PREFIX = ['profile'] as const;

export const passkeysQueryOptions = queryOptions({
  queryKey: [...PROFILE_QUERY_KEY_PREFIX, 'passkeys'],
  queryFn: async () =>
    (await requestJson<ConsoleApiSchema<'PasskeyListResponse'>>('GET', 'profile/passkeys')).passkeys,
});

export const securityEventsInfiniteQueryOptions = auditPagesQuery(
  [...PROFILE_QUERY_KEY_PREFIX, 'events'],
  'profile/events',
);

export const browserSessionsQueryOptions = queryOptions({
  queryKey: [...PROFILE_QUERY_KEY_PREFIX, 'sessions'],
  queryFn: async () =>
    (await requestJson<ConsoleApiSchema<'SessionListResponse'>>('GET', 'profile/sessions')).sessions,
});

/** Without empty values. */
export function toQueryString(values: Record<string, string | undefined>): string {
  const entries = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return entries.length === 0 ? '' : `?${new URLSearchParams(entries).toString()}`;
}
