import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { browserSessionsQueryOptions, PROFILE_QUERY_KEY_PREFIX } from '../../api/queries.ts';
import type { BrowserSession } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { describeUserAgent } from '../../lib/format.ts';
import { texts } from '../../texts/index.ts';
import { ReauthenticationDialog } from '../reauthentication-dialog.tsx';

const nameOf = ({ user_agent }: BrowserSession) =>
  describeUserAgent(user_agent) ?? texts.profile.unknownBrowser;

export function BrowserSessionsSection() {
  const sessions = useQuery(browserSessionsQueryOptions);
  const [ending, setEnding] = useState<BrowserSession | 'others' | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  const columns: Column<BrowserSession>[] = [
    {
      key: 'browser',
      title: texts.profile.browser,
      render: (session) => (
        <span title={session.user_agent ?? undefined}>
          {nameOf(session)}
          {session.current && (
            <span className="text-success ml-2 text-xs font-medium whitespace-nowrap">
              {texts.profile.thisBrowser}
            </span>
          )}
        </span>
      ),
    },
    { key: 'address', title: texts.profile.address, render: ({ address }) => address },
    {
      key: 'seen',
      title: texts.profile.lastSeen,
      render: ({ last_seen_at }) => <Time value={last_seen_at} relative />,
    },
    {
      key: 'actions',
      title: texts.members.actions,
      titleHidden: true,
      render: (session) =>
        !session.current && (
          <div className="flex md:justify-end">
            <Button aria-label={texts.profile.endLabel(nameOf(session))} onClick={() => setEnding(session)}>
              {texts.profile.end}
            </Button>
          </div>
        ),
    },
  ];
  return (
    <Section
      title={texts.profile.sessionsTitle}
      actions={
        sessions.data?.some(({ current }) => !current) && (
          <Button onClick={() => setEnding('others')}>{texts.profile.endOthers}</Button>
        )
      }
    >
      <RemovableRows count={sessions.data?.length ?? 0} status={status}>
        {sessions.isError && !sessions.data ? (
          <LoadErrorNotice error={sessions.error} onRetry={() => void sessions.refetch()} />
        ) : !sessions.data ? (
          <Skeleton rows={2} />
        ) : (
          <Table
            label={texts.profile.sessionsTitle}
            columns={columns}
            rows={sessions.data}
            keyOf={({ id }) => id}
          />
        )}
      </RemovableRows>
      {ending !== null && (
        <EndDialog
          sessions={ending}
          onEnded={() =>
            setStatus(ending === 'others' ? texts.profile.othersEnded : texts.profile.ended(nameOf(ending)))
          }
          onClose={() => setEnding(null)}
        />
      )}
    </Section>
  );
}

interface EndDialogProps {
  sessions: BrowserSession | 'others';
  onEnded: () => void;
  onClose: () => void;
}

function EndDialog({ sessions, onEnded, onClose }: EndDialogProps) {
  const queryClient = useQueryClient();
  const end = useMutation({
    mutationFn: (confirmation: { current_password?: string }) =>
      sessions === 'others'
        ? requestJson<unknown>('POST', 'profile/sessions/end-others', confirmation)
        : requestJson<unknown>('DELETE', `profile/sessions/${sessions.id}`, confirmation),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: PROFILE_QUERY_KEY_PREFIX });
      onEnded();
      onClose();
    },
  });
  return (
    <ReauthenticationDialog
      title={sessions === 'others' ? texts.profile.endOthersTitle : texts.profile.endTitle(nameOf(sessions))}
      text={sessions === 'others' ? texts.profile.endOthersText : texts.profile.endText}
      action={sessions === 'others' ? texts.profile.endOthers : texts.profile.end}
      busy={end.isPending}
      error={end.error}
      onConfirm={(confirmation) => end.mutate(confirmation)}
      onClose={onClose}
    />
  );
}
