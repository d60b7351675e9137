import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { invitationsQueryOptions } from '../../api/queries.ts';
import { type Invitation, type MemberRole, ROLES, type ConsoleApiSchema } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { SelectField, TextField } from '../../components/field.tsx';
import {
  ActionErrorNotice,
  findFieldMessageOfApiError,
  LoadErrorNotice,
  Notice,
} from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { ShownOnceDialog } from '../../components/shown-once-dialog.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { useUnsavedInputGuard } from '../../lib/unsaved-input.ts';
import { texts } from '../../texts/index.ts';

export function InviteButton({ account }: { account: { id: string; permissions: string[] } }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        {texts.members.invite}
      </Button>
      {isOpen && <InviteDialog account={account} onClose={() => setOpen(false)} />}
    </>
  );
}

interface InviteDialogProps {
  account: { id: string; permissions: string[] };
  onClose: () => void;
}

function InviteDialog({ account, onClose }: InviteDialogProps) {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('member');
  const queryClient = useQueryClient();
  const invite = useMutation({
    mutationFn: () =>
      requestJson<ConsoleApiSchema<'NewInvitationResponse'>>('POST', 'invitations', {
        email: email.trim(),
        role,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [account.id, 'invitations'] }),
  });
  useUnsavedInputGuard(invite.isPending, 'secret');
  if (invite.data && invite.data.link !== null)
    return (
      <ShownOnceDialog
        title={texts.members.linkTitle}
        label={texts.members.link}
        value={invite.data.link}
        done={texts.members.done}
        onClose={onClose}
      >
        {invite.data.mail === 'failed' && <Notice kind="error">{texts.members.mailFailed}</Notice>}
        <p className="wrap-anywhere">{texts.members.linkText(email.trim())}</p>
      </ShownOnceDialog>
    );
  if (invite.data) {
    const { members: t } = texts;
    const [title, text] =
      invite.data.mail === 'unknown' ? [t.slowMailTitle, t.slowMailText] : [t.mailTitle, t.mailText];
    return (
      <Dialog key="mail" title={title} onClose={onClose}>
        <p className="wrap-anywhere">{text(email.trim())}</p>
        <Button look="primary" className="self-end" onClick={onClose}>
          {t.done}
        </Button>
      </Dialog>
    );
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!invite.isPending) invite.mutate();
  };
  const roles = ROLES.filter((each) => each !== 'owner' || account.permissions.includes('owners.write'));
  return (
    <Dialog key="form" title={texts.members.inviteTitle} closesOnEscape={!invite.isPending} onClose={onClose}>
      <form className="flex flex-col gap-4" onSubmit={submit}>
        <ActionErrorNotice error={invite.error} shownFields={['email', 'role']} />
        <TextField
          label={texts.members.email}
          type="email"
          error={findFieldMessageOfApiError(invite.error, 'email')}
          autoComplete="off"
          required
          autoFocus
          maxCharacters={254}
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            // The error is about the former input.
            if (!invite.isPending) invite.reset();
          }}
        />
        <SelectField
          label={texts.members.role}
          help={texts.roleHelp[role]}
          value={role}
          onChange={(event) => setRole(event.target.value as MemberRole)}
        >
          {roles.map((each) => (
            <option key={each} value={each}>
              {texts.roles[each]}
            </option>
          ))}
        </SelectField>
        <DialogActions keepsAnswer busy={invite.isPending} onClose={onClose}>
          {texts.members.inviteSubmit}
        </DialogActions>
      </form>
    </Dialog>
  );
}

export function InvitationsSection({ accountId }: { accountId: string }) {
  const invitations = useQuery(invitationsQueryOptions(accountId));
  const [status, setStatus] = useState<string | null>(null);
  const columns: Column<Invitation>[] = [
    { key: 'email', title: texts.members.email, render: ({ email }) => email },
    { key: 'role', title: texts.members.role, render: ({ role }) => texts.roles[role] },
    {
      key: 'expires',
      title: texts.members.expires,
      render: ({ expires_at }) => <Time value={expires_at} relative />,
    },
    {
      key: 'actions',
      title: texts.members.actions,
      titleHidden: true,
      render: (invitation) => (
        <RevokeButton
          accountId={accountId}
          invitation={invitation}
          onRevoked={() => setStatus(texts.members.revoked(invitation.email))}
        />
      ),
    },
  ];
  return (
    <Section title={texts.members.invitations}>
      <RemovableRows count={invitations.data?.length ?? 0} status={status}>
        {invitations.isError && !invitations.data ? (
          <LoadErrorNotice error={invitations.error} onRetry={() => void invitations.refetch()} />
        ) : !invitations.data ? (
          <Skeleton rows={2} />
        ) : invitations.data.length === 0 ? (
          <p className="text-muted">{texts.members.noInvitations}</p>
        ) : (
          <Table
            label={texts.members.invitations}
            columns={columns}
            rows={invitations.data}
            keyOf={(invitation) => invitation.id}
          />
        )}
      </RemovableRows>
    </Section>
  );
}

interface RevokeButtonProps {
  accountId: string;
  invitation: Invitation;
  onRevoked: () => void;
}

function RevokeButton({ accountId, invitation, onRevoked }: RevokeButtonProps) {
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => requestJson<void>('DELETE', `invitations/${invitation.id}`),
    onSuccess: onRevoked,
    onSettled: () => queryClient.invalidateQueries({ queryKey: [accountId, 'invitations'] }),
  });
  return (
    <div className="flex flex-col items-start gap-2 md:items-end">
      <Button
        look="danger"
        aria-label={texts.members.revokeLabel(invitation.email)}
        busy={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {texts.members.revoke}
      </Button>
      <ActionErrorNotice error={revoke.error} />
    </div>
  );
}
