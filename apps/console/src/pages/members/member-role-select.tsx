import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { requestJson } from '../../api/client.ts';
import { sessionQueryOptions } from '../../api/queries.ts';
import { type Member, type MemberRole, ROLES } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { ActionErrorNotice } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';

interface MemberRoleSelectProps {
  accountId: string;
  member: Member;
  isSelf: boolean;
  mayOwners: boolean;
}

/** Changes the role by a button: in a closed list of options each arrow key chooses the next one. */
export function MemberRoleSelect({ accountId, member, isSelf, mayOwners }: MemberRoleSelectProps) {
  const queryClient = useQueryClient();
  const select = useRef<HTMLSelectElement>(null);
  const [entered, setEntered] = useState<MemberRole | null>(null);
  const chosen = entered ?? member.role;
  const [asked, setAsked] = useState<RoleQuestion | null>(null);
  const change = useMutation({
    mutationFn: (role: MemberRole) => requestJson<void>('PUT', `members/${member.user_id}/role`, { role }),
    onSettled: async (_data, error, role) => {
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: [accountId, 'members'] }),
        queryClient.invalidateQueries(sessionQueryOptions),
      ]);
      if (error) return;
      setAsked(null);
      setEntered((other) => (other === role ? null : other));
    },
  });
  // The button, which had the focus, is gone.
  useEffect(() => {
    if (change.isSuccess && document.activeElement === document.body) select.current?.focus();
  }, [change.isSuccess]);
  const name = member.name || member.email;
  const submit = () => {
    const question = describeQuestion(member, chosen, isSelf);
    if (question) setAsked(question);
    else change.mutate(chosen);
  };
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-2">
        <select
          ref={select}
          aria-label={texts.members.roleOf(name)}
          className="border-control bg-surface min-h-9 rounded-md border px-2"
          value={chosen}
          onChange={(event) => {
            if (!change.isPending) change.reset();
            setEntered(event.target.value as MemberRole);
          }}
        >
          {ROLES.filter((role) => mayOwners || role !== 'owner').map((role) => (
            <option key={role} value={role}>
              {texts.roles[role]}
            </option>
          ))}
        </select>
        {chosen !== member.role && (
          <Button
            look="primary"
            aria-label={texts.members.changeRoleOf(name)}
            busy={change.isPending}
            onClick={submit}
          >
            {texts.members.change}
          </Button>
        )}
      </span>
      <span role="status" className="sr-only">
        {change.isSuccess ? texts.members.roleChanged(name, texts.roles[member.role]) : ''}
      </span>
      {asked ? (
        <ConfirmDialog
          title={asked.title}
          text={asked.text}
          action={texts.members.changeRole}
          busy={change.isPending}
          error={change.error}
          onConfirm={() => change.mutate(chosen)}
          onClose={() => {
            setAsked(null);
            setEntered(null);
            change.reset();
          }}
        />
      ) : (
        <ActionErrorNotice error={change.error} />
      )}
    </>
  );
}

interface RoleQuestion {
  title: string;
  text: string;
}

/** @returns null for a change that whoever makes it can take back */
function describeQuestion(member: Member, role: MemberRole, isSelf: boolean): RoleQuestion | null {
  const name = member.name || member.email;
  if (role === 'owner') return { title: texts.members.ownerTitle(name), text: texts.members.ownerText };
  if (member.role === 'owner')
    return {
      title: texts.members.noOwnerTitle(name),
      text: texts.members.noOwnerText(texts.roles[role]),
    };
  if (isSelf)
    return { title: texts.members.ownRoleTitle, text: texts.members.ownRoleText(texts.roles[role]) };
  return null;
}
