import { Account } from '@app/database';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { grantCredits } from './ledger.repository.js';

/** Grants the opening balance. @returns the id */
export async function createAccount(tx: EntityManager, name: string, credits: number): Promise<string> {
  const id = uuidv7();
  await tx.insert(Account, { id, name });
  if (credits > 0) await grantCredits(tx, id, credits, 'opening balance');
  return id;
}
