import { useQuery } from '@tanstack/react-query';
import { apiKeyIdsAndNamesQueryOptions } from '../../api/jobs.ts';
import { membersQueryOptions } from '../../api/queries.ts';
import type { AuditFilter } from '../../api/types.ts';
import { SelectField } from '../../components/field.tsx';
import { texts } from '../../texts/index.ts';

const KINDS = ['user', 'key', 'operator', 'system'] as const;

interface WhoFieldProps {
  accountId: string;
  /** A kind of actors, or the id of a member or key. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

/** Whose changes are listed. Those of former members are among those of all people. */
export function ActorFilterField({ accountId, value, onChange }: WhoFieldProps) {
  const t = texts.audit;
  const members = useQuery(membersQueryOptions(accountId));
  const keys = useQuery(apiKeyIdsAndNamesQueryOptions(accountId));
  return (
    <div className="max-w-60">
      <SelectField
        label={t.who}
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value || undefined)}
      >
        <option value="">{t.everybody}</option>
        {KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t.whoGroups[kind]}
          </option>
        ))}
        <optgroup label={t.members}>
          {members.data?.map(({ user_id, name, email }) => (
            <option key={user_id} value={user_id}>
              {name || email}
            </option>
          ))}
        </optgroup>
        <optgroup label={t.keys}>
          {keys.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </optgroup>
      </SelectField>
    </div>
  );
}

export function toActorFilter(who: string | undefined): AuditFilter {
  if (who === undefined) return {};
  return KINDS.some((kind) => kind === who) ? { actor_kind: who } : { actor: who };
}
