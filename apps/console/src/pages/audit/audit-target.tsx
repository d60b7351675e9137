import { useQuery } from '@tanstack/react-query';
import { apiKeyIdsAndNamesQueryOptions } from '../../api/jobs.ts';
import { membersQueryOptions } from '../../api/queries.ts';
import type { AuditEvent } from '../../api/types.ts';
import { JobLink } from '../../components/job-link.tsx';
import { maskIfUrl } from '../../lib/receiver-url-secrets.ts';
import { texts } from '../../texts/index.ts';

const ID_LENGTH = 8;

/** Fields of the details that the target is named by, the first that has a value. */
export const TARGET_NAME_FIELDS = ['email', 'url', 'name', 'key'];

/** Names of ids in the audit log of an account; those of what exists no more are in the details at best. */
export function useKeyAndMemberNames(accountId: string): ReadonlyMap<string, string> {
  const keys = useQuery(apiKeyIdsAndNamesQueryOptions(accountId));
  const members = useQuery(membersQueryOptions(accountId));
  return new Map([
    ...(keys.data ?? []).map(({ id, name }) => [id, name] as const),
    ...(members.data ?? []).map(({ user_id, name, email }) => [user_id, name || email] as const),
  ]);
}

interface AuditTargetProps {
  event: AuditEvent;
  names: ReadonlyMap<string, string>;
  account: { id: string; name: string };
}

/** What was changed, by its name if it is known. */
export function AuditTarget({ event: { action, actor, target, details }, names, account }: AuditTargetProps) {
  if (target !== null && action.startsWith('job.') && action !== 'job.deleted')
    return <JobLink jobId={target}>{texts.audit.job(shorten(target))}</JobLink>;
  const given = TARGET_NAME_FIELDS.map((field) => details?.[field])
    .filter((value) => typeof value === 'string' && value !== '')
    .map((value) => maskIfUrl(String(value)))[0];
  const name =
    (target === account.id && account.name) ||
    (target !== null && names.get(target)) ||
    (given !== undefined && (names.get(given) ?? given)) ||
    (target !== null && target === actor.id && actor.name);
  if (name) return <span className="wrap-anywhere">{name}</span>;
  if (target === null) return null;
  return (
    <span className="text-muted text-xs" title={target}>
      {texts.audit.id(shorten(target))}
    </span>
  );
}

function shorten(id: string): string {
  return id.length > ID_LENGTH ? `${id.slice(-ID_LENGTH)}` : id;
}
