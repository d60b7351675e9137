/**
 * SQL of whether effects on others wait for `webhooks release`. A restored database does not know what has happened
 * since the backup, and may belong to a drill.
 */
export const IS_INSTALLATION_HELD_SQL =
  'EXISTS (SELECT FROM installation WHERE webhooks_held_at IS NOT NULL)';
