import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { membersQueryOptions, sessionQueryOptions } from '../../api/queries.ts';
import type { Member, Session } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { LoadErrorNotice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/index.ts';
import { InvitationsSection, InviteButton } from './invitations.tsx';
import { LeaveAccountDialog } from './leave-account-dialog.tsx';
import { MemberRoleSelect } from './member-role-select.tsx';

export function MembersPage() {
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const account = session.account;
  if (!account) return null;
  const mayWrite = account.permissions.includes('members.write');
  return (
    <Page
      title={texts.members.title}
      intro={texts.members.intro}
      actions={mayWrite && <InviteButton account={account} />}
    >
      <MemberTable session={session} account={account} mayWrite={mayWrite} />
      {mayWrite && <InvitationsSection accountId={account.id} />}
    </Page>
  );
}

interface MemberTableProps {
  session: Session;
  account: NonNullable<Session['account']>;
  mayWrite: boolean;
}

function MemberTable({ session, account, mayWrite }: MemberTableProps) {
  const members = useQuery(membersQueryOptions(account.id));
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  if (members.isError && !members.data)
    return <LoadErrorNotice error={members.error} onRetry={() => void members.refetch()} />;
  if (!members.data) return <Skeleton />;
  const mayOwners = account.permissions.includes('owners.write');
  const columns: Column<Member>[] = [
    {
      key: 'name',
      title: texts.members.name,
      render: (member) => (
        <>
          <span className="font-medium">{member.name || member.email}</span>
          {member.user_id === session.user.id && <Badge text={texts.members.you} />}
          {member.disabled && <Badge text={texts.members.disabled} />}
          {member.name && member.name !== member.email && (
            <div className="text-muted text-xs">{member.email}</div>
          )}
        </>
      ),
    },
    {
      key: 'role',
      title: texts.members.role,
      render: (member) =>
        mayWrite && (mayOwners || member.role !== 'owner') ? (
          <MemberRoleSelect
            accountId={account.id}
            member={member}
            isSelf={member.user_id === session.user.id}
            mayOwners={mayOwners}
          />
        ) : (
          texts.roles[member.role]
        ),
    },
    {
      key: 'seen',
      title: texts.members.lastSeen,
      // The time is that of open sessions: it ends with them.
      render: (member) =>
        member.last_seen_at === null ? (
          <span className="text-muted">{texts.members.noSession}</span>
        ) : (
          <Time value={member.last_seen_at} relative />
        ),
    },
    { key: 'joined', title: texts.members.joined, render: (member) => <Time value={member.joined_at} /> },
    {
      key: 'actions',
      title: texts.members.actions,
      titleHidden: true,
      render: (member) => {
        const isSelf = member.user_id === session.user.id;
        const mayRemove = isSelf || (mayWrite && (mayOwners || member.role !== 'owner'));
        const label = isSelf ? texts.members.leave : texts.members.removeLabel(member.name || member.email);
        return (
          mayRemove && (
            <div className="flex md:justify-end">
              <Button look="danger" aria-label={label} onClick={() => setLeaving(member)}>
                {isSelf ? texts.members.leave : texts.members.remove}
              </Button>
            </div>
          )
        );
      },
    },
  ];
  return (
    <RemovableRows count={members.data.length} status={status}>
      <Table
        label={texts.members.title}
        columns={columns}
        rows={members.data}
        keyOf={(member) => member.user_id}
      />
      {leaving?.user_id === session.user.id && (
        <LeaveAccountDialog account={account} onClose={() => setLeaving(null)} />
      )}
      {leaving && leaving.user_id !== session.user.id && (
        <RemoveDialog
          accountId={account.id}
          member={leaving}
          onRemoved={(name) => setStatus(texts.members.removed(name))}
          onClose={() => setLeaving(null)}
        />
      )}
    </RemovableRows>
  );
}

function Badge({ text }: { text: string }) {
  return (
    <span className="border-line bg-raised text-muted ml-2 rounded border px-1.5 py-0.5 text-xs">{text}</span>
  );
}

interface RemoveDialogProps {
  accountId: string;
  member: Member;
  onRemoved: (name: string) => void;
  onClose: () => void;
}

function RemoveDialog({ accountId, member, onRemoved, onClose }: RemoveDialogProps) {
  const queryClient = useQueryClient();
  const name = member.name || member.email;
  const remove = useMutation({
    mutationFn: () => requestJson<void>('DELETE', `members/${member.user_id}`),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: [accountId, 'members'] });
      onRemoved(name);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.members.removeTitle(name)}
      text={texts.members.removeText}
      action={texts.members.remove}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    />
  );
}
