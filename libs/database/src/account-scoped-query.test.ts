import { describe, expect, it } from 'vitest';
import { assertReadsOnlyScopedTables } from './account-scoped-query.js';

describe('assertReadsOnlyScopedTables', () => {
  it.each([
    'SELECT id FROM job WHERE id = $2',
    'SELECT seq FROM job_event e JOIN job j ON j.id = e.job_id',
    'SELECT 1 FROM unnest($2::uuid[]) WITH ORDINALITY AS asked (id, place) LEFT JOIN job ON job.id = asked.id',
    'SELECT found.id FROM (SELECT id FROM job) found',
    'SELECT balance FROM account JOIN credit_entry ON true JOIN api_key ON true JOIN job_metadata ON true',
    'SELECT id, status FROM job WHERE status IN ($2, $3) ORDER BY created_at, id',
    'SELECT 1 FROM unnest($2::uuid[], $3::int[]) AS asked (id, place) JOIN job ON job.id IN ($4, asked.id) ORDER BY 1, 2',
  ])('allows tables of the account scope: %s', (text) => {
    expect(() => assertReadsOnlyScopedTables('good', text)).not.toThrow();
  });

  it.each([
    ['a table by its schema', 'SELECT id FROM public.job', 'public.job'],
    ['a quoted name', 'SELECT id FROM "job"', '"job"'],
    ['another table', 'SELECT sealed FROM webhook_secret', 'webhook_secret'],
    ['another table that is joined', 'SELECT 1 FROM job LEFT JOIN outbox_entry ON true', 'outbox_entry'],
    [
      'another table in brackets',
      'SELECT 1 FROM job WHERE id IN (SELECT job_id FROM outbox_entry)',
      'outbox_entry',
    ],
    ['another table for each row', 'SELECT 1 FROM job CROSS JOIN LATERAL turn', 'turn'],
    ['a table in brackets', 'SELECT 1 FROM (public.job CROSS JOIN job_event)', 'public.job'],
    ['a table without a blank before it', 'SELECT 1 FROM(outbox_entry)', 'outbox_entry'],
    ['a quoted name without a blank before it', 'SELECT 1 FROM"job"', '"job"'],
    ['a table without those below it, in brackets', 'SELECT 1 FROM ONLY (outbox_entry)', 'outbox_entry'],
    ['a table without those below it', 'SELECT 1 FROM ONLY outbox_entry', 'outbox_entry'],
  ])('rejects %s', (_, text, source) => {
    expect(() => assertReadsOnlyScopedTables('bad', text)).toThrow(
      `The statement bad may not read ${source}.`,
    );
  });

  it.each([
    'SELECT 1 FROM job, account',
    'SELECT 1 FROM job j, account',
    'SELECT 1 FROM job AS j , account',
    'SELECT 1 FROM job JOIN job_event ON true, account WHERE true',
    'SELECT 1 FROM job JOIN job_event ON job.id IN ($2, $3)\n, account ORDER BY 1',
    'SELECT 1 FROM unnest($2::uuid[]) AS asked (id), account',
    'SELECT 1 FROM job WHERE id IN (SELECT job_id FROM job_event e CROSS JOIN job j, account)',
    'SELECT 1 FROM (SELECT 1) AS one, account',
    'SELECT 1 FROM job "order", account',
    'SELECT 1 FROM job j JOIN job_event e ON j.limit = e.limit, account',
  ])('rejects a comma-separated list of tables: %s', (text) => {
    expect(() => assertReadsOnlyScopedTables('bad', text)).toThrow('must use JOIN');
  });
});
