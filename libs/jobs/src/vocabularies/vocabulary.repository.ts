import { buildAccountScopedQuery, queryAccountRows } from '@app/database';
import type { DataSource, EntityManager } from 'typeorm';

const SELECT_TERMS = buildAccountScopedQuery(
  'vocabulary-terms',
  'SELECT terms FROM vocabulary WHERE account_id = $1 AND name = $2',
);
const SELECT_NAMES = buildAccountScopedQuery(
  'vocabulary-names',
  'SELECT name FROM vocabulary WHERE account_id = $1 ORDER BY name',
);
const SELECT_SUMMARIES = buildAccountScopedQuery(
  'vocabulary-summaries',
  `SELECT id, name, cardinality(terms) AS "termCount", updated_at AS "updatedAt"
   FROM vocabulary WHERE account_id = $1 ORDER BY name`,
);

export interface VocabularySummary {
  id: string;
  name: string;
  termCount: number;
  updatedAt: Date;
}

/** @returns undefined if the account has no vocabulary of this name */
export async function findVocabularyTerms(
  dataSource: DataSource,
  accountId: string,
  name: string,
): Promise<string[] | undefined> {
  const [row] = await queryAccountRows<{ terms: string[] }>(dataSource, accountId, SELECT_TERMS, [name]);
  return row?.terms;
}

export async function listVocabularyNames(dataSource: DataSource, accountId: string): Promise<string[]> {
  const rows = await queryAccountRows<{ name: string }>(dataSource, accountId, SELECT_NAMES);
  return rows.map(({ name }) => name);
}

/** By name. */
export function listVocabularySummaries(
  dataSource: DataSource,
  accountId: string,
): Promise<VocabularySummary[]> {
  return queryAccountRows<VocabularySummary>(dataSource, accountId, SELECT_SUMMARIES);
}

/** Until the end of the transaction, no other one changes vocabularies of the account. */
export async function lockAccountVocabularies(tx: EntityManager, accountId: string): Promise<void> {
  await tx.query('SELECT FROM account WHERE id = $1 FOR NO KEY UPDATE', [accountId]);
}
