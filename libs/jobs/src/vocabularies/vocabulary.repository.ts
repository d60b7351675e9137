import { buildAccountScopedQuery, queryAccountRows } from '@app/database';
import type { DataSource } from 'typeorm';

const SELECT_TERMS = buildAccountScopedQuery(
  'vocabulary-terms',
  'SELECT terms FROM vocabulary WHERE account_id = $1 AND name = $2',
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

/** By name. */
export function listVocabularySummaries(
  dataSource: DataSource,
  accountId: string,
): Promise<VocabularySummary[]> {
  return queryAccountRows<VocabularySummary>(dataSource, accountId, SELECT_SUMMARIES);
}
