import { useState } from 'react';
import type { Key } from '../../api/keys.ts';
import { Button } from '../../components/button.tsx';
import { CreatedAtAndByCell } from '../../components/created-cell.tsx';
import { RemovableRows } from '../../components/removable-rows.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { isPast } from '../../lib/format.ts';
import { formatNumber } from '../../lib/numbers.ts';
import { texts } from '../../texts/index.ts';
import { RequestRateLimitIncreaseDialog } from './request-rate-limit-increase-dialog.tsx';
import { RevokeKeyDialog } from './revoke-key-dialog.tsx';

const words = texts.keys;

interface KeyTableProps {
  accountId: string;
  keys: Key[];
  defaultLimits: Record<string, number>;
  userId: string;
  permissions: string[];
}

/** Its dialogs stay open when somebody else revokes the last key. */
export function KeyTable({ accountId, keys, defaultLimits, userId, permissions }: KeyTableProps) {
  const [revoking, setRevoking] = useState<Key | null>(null);
  const [asking, setAsking] = useState<Key | null>(null);
  const [status, setStatus] = useState<string | null>(null);
  const mayAsk = permissions.includes('limits.request');
  const mayRevoke = ({ created_by }: Key) =>
    permissions.includes('keys.revoke_any') ||
    (permissions.includes('keys.revoke_own') && created_by?.id === userId);
  const columns: Column<Key>[] = [
    {
      key: 'name',
      title: words.name,
      render: ({ id, name, revoked_at }) => (
        <>
          <div className="font-medium break-words">{name}</div>
          {revoked_at !== null && (
            <div className="text-danger text-xs">
              {words.revokedAt} <Time value={revoked_at} relative />
            </div>
          )}
          <code className="text-muted text-xs">{`zk_${id}_…`}</code>
        </>
      ),
    },
    {
      key: 'created',
      title: words.createdBy,
      render: ({ created_at, created_by }) => <CreatedAtAndByCell at={created_at} by={created_by} />,
    },
    {
      key: 'used',
      title: words.lastUsed,
      render: ({ last_used_at }) => <Time value={last_used_at} relative />,
    },
    { key: 'expires', title: words.expires, render: (key) => <Expiry of={key} /> },
    { key: 'limits', title: words.limits, render: ({ limits }) => <Limits limits={limits} /> },
    {
      key: 'actions',
      title: words.actions,
      titleHidden: true,
      render: (key) =>
        key.revoked_at === null && (
          <div className="flex flex-wrap gap-2 md:justify-end">
            {mayAsk && (
              <Button aria-label={words.requests.askLabel(key.name)} onClick={() => setAsking(key)}>
                {words.requests.ask}
              </Button>
            )}
            {mayRevoke(key) && (
              <Button look="danger" aria-label={words.revokeLabel(key.name)} onClick={() => setRevoking(key)}>
                {words.revoke}
              </Button>
            )}
          </div>
        ),
    },
  ];
  return (
    <RemovableRows count={keys.filter(({ revoked_at }) => revoked_at === null).length} status={status}>
      {keys.length === 0 ? (
        <p className="text-muted">
          {words.empty} {permissions.includes('keys.create') && words.emptyHelp}
        </p>
      ) : (
        <Table label={words.title} columns={columns} rows={keys} keyOf={({ id }) => id} />
      )}
      {revoking && (
        <RevokeKeyDialog
          accountId={accountId}
          apiKey={revoking}
          onRevoked={() => setStatus(words.revoked(revoking.name))}
          onClose={() => setRevoking(null)}
        />
      )}
      {asking && (
        <RequestRateLimitIncreaseDialog
          accountId={accountId}
          apiKey={asking}
          defaultLimits={defaultLimits}
          onSent={() => setStatus(words.requests.sent)}
          onClose={() => setAsking(null)}
        />
      )}
    </RemovableRows>
  );
}

function Expiry({ of: { revoked_at, expires_at } }: { of: Key }) {
  if (expires_at === null) return <span className="text-muted">{words.noExpiry}</span>;
  const isOver = revoked_at === null && isPast(expires_at);
  return (
    <span className={isOver ? 'text-danger' : undefined}>
      {isOver && `${words.expired} `}
      <Time value={expires_at} relative />
    </span>
  );
}

function Limits({ limits }: { limits: Record<string, number> }) {
  const entries = Object.entries(limits);
  if (entries.length === 0) return <span className="text-muted">{words.defaultLimits}</span>;
  return (
    <ul className="text-xs">
      {entries.map(([limit, count]) => (
        <li key={limit}>{words.perMinute(limit, formatNumber(count))}</li>
      ))}
    </ul>
  );
}
