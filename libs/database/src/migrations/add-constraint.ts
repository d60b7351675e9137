import type { QueryRunner } from 'typeorm';

/**
 * Without reading the rows under a lock that blocks requests, if the migration has `transaction = false`. Replaces a constraint of
 * the same name at the same moment. A restore migrates in one transaction, alone.
 * @param definition `CHECK …` or `FOREIGN KEY …`
 */
export async function addConstraint(
  runner: QueryRunner,
  table: string,
  name: string,
  definition: string,
): Promise<void> {
  const replace = `ALTER TABLE "${table}" DROP CONSTRAINT IF EXISTS "${name}", ADD CONSTRAINT "${name}" ${definition}`;
  if (runner.isTransactionActive) {
    await runner.query(replace);
    return;
  }
  await runner.query(`${replace} NOT VALID`);
  await runner.query(`ALTER TABLE "${table}" VALIDATE CONSTRAINT "${name}"`);
}
