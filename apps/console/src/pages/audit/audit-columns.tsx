import type { AuditEvent } from '../../api/types.ts';
import type { Column } from '../../components/table.tsx';
import { Time } from '../../components/time.tsx';
import { texts } from '../../texts/index.ts';

export const WHEN_COLUMN: Column<AuditEvent> = {
  key: 'when',
  title: texts.audit.when,
  render: ({ at }) => <Time value={at} />,
};

export const IP_ADDRESS_COLUMN: Column<AuditEvent> = {
  key: 'from',
  title: texts.audit.address,
  render: ({ address }) => address !== null && <span className="text-xs">{address}</span>,
};
