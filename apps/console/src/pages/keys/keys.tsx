import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiKeysQueryOptions } from '../../api/keys.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { texts } from '../../texts/index.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { KeyTable } from './key-table.tsx';
import { RateLimitIncreaseRequestsSection } from './rate-limit-increase-requests.tsx';

export function KeysPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const accountId = session.account?.id ?? '';
  const permissions = session.account?.permissions ?? [];
  const list = useQuery(apiKeysQueryOptions(accountId));
  const [isCreating, setCreating] = useState(false);
  const [showsRevoked, setShowsRevoked] = useState(false);
  const keys = list.data?.keys;
  const revoked = keys?.filter((key) => key.revoked_at !== null).length ?? 0;
  const shown = keys?.filter((key) => showsRevoked || key.revoked_at === null);
  return (
    <Page
      title={texts.keys.title}
      intro={texts.keys.intro}
      actions={
        permissions.includes('keys.create') && (
          <Button look="primary" onClick={() => setCreating(true)}>
            {texts.keys.create}
          </Button>
        )
      }
    >
      {list.isError && !list.data ? (
        <LoadErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      ) : !list.data || !shown ? (
        <Skeleton rows={4} />
      ) : (
        <>
          <KeyTable
            accountId={accountId}
            keys={shown}
            defaultLimits={list.data.default_limits}
            userId={session.user.id}
            permissions={permissions}
          />
          {revoked > 0 && (
            <Button
              className="self-start"
              aria-expanded={showsRevoked}
              onClick={() => setShowsRevoked(!showsRevoked)}
            >
              {showsRevoked ? texts.keys.hideRevoked : texts.keys.showRevoked(revoked)}
            </Button>
          )}
        </>
      )}
      <RateLimitIncreaseRequestsSection accountId={accountId} keys={keys ?? []} />
      {isCreating && <CreateKeyDialog accountId={accountId} onClose={() => setCreating(false)} />}
    </Page>
  );
}
