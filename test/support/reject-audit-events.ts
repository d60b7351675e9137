import type { DataSource } from 'typeorm';

/** From now on no audit event can be written. */
export async function rejectAuditEvents(dataSource: DataSource): Promise<void> {
  await dataSource.query('ALTER TABLE audit_event ADD CONSTRAINT no_more CHECK (false) NOT VALID');
}

export async function acceptAuditEvents(dataSource: DataSource): Promise<void> {
  await dataSource.query('ALTER TABLE audit_event DROP CONSTRAINT no_more');
}
