import { Account } from '@app/database';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { grant } from './ledger.repository.js';

/** Creates an account with its opening balance in the ledger. @returns its id */
export async function createAccount(tx: EntityManager, name: string, credits: number): Promise<string> {
  const id = uuidv7();
  await tx.insert(Account, { id, name });
  if (credits > 0) await grant(tx, id, credits, 'opening balance');
  return id;
}
