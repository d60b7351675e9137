import { isDeepStrictEqual } from 'node:util';
import { inTransaction, lockAccountRow, type RecordChange, Vocabulary } from '@app/database';
import { findNearestName, createInvalidFieldError, ServiceError } from '@app/errors';
import { type DataSource, type EntityManager, Not } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  mergeTermsWithinVocabularyLimit,
  MAX_VOCABULARIES_PER_ACCOUNT,
  normalizeAndValidateVocabulary,
  type VocabularyContent,
} from './vocabulary-limits.js';
import {
  findVocabularyTerms,
  listVocabularySummaries,
  type VocabularySummary,
} from './vocabulary.repository.js';

/** The vocabularies of accounts. A name is that of one account: others have their own under the same name. */
export class VocabularyService {
  constructor(private readonly dataSource: DataSource) {}

  /** By name, without their terms. */
  list(accountId: string): Promise<VocabularySummary[]> {
    return listVocabularySummaries(this.dataSource, accountId);
  }

  /** @throws ServiceError `no_such_resource` */
  async get(accountId: string, id: string): Promise<Vocabulary> {
    return this.getFrom(this.dataSource.manager, accountId, id);
  }

  /** @throws ServiceError that names a field; `conflict` if the account has too many */
  async create(accountId: string, content: VocabularyContent, record: RecordChange): Promise<string> {
    const valid = normalizeAndValidateVocabulary(content);
    const id = uuidv7();
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      if ((await tx.countBy(Vocabulary, { accountId })) >= MAX_VOCABULARIES_PER_ACCOUNT)
        throw new ServiceError('conflict', {
          detail: `An account has at most ${MAX_VOCABULARIES_PER_ACCOUNT} vocabularies.`,
        });
      await assertUnusedName(tx, accountId, valid.name, id);
      await tx.insert(Vocabulary, { id, accountId, ...valid });
      await record(tx, { action: 'vocabulary.created', target: id, details: describe(valid) });
    });
    return id;
  }

  /**
   * For jobs that are created from now on.
   * @param replaces `updatedAt` of the vocabulary that was seen, in ISO 8601; undefined replaces any
   * @throws ServiceError that names a field; `no_such_resource`, `vocabulary_changed`
   */
  async change(
    accountId: string,
    id: string,
    content: VocabularyContent,
    record: RecordChange,
    replaces?: string,
  ): Promise<void> {
    const valid = normalizeAndValidateVocabulary(content);
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      const present = await this.getFrom(tx, accountId, id);
      if (isDeepStrictEqual({ name: present.name, terms: present.terms }, valid)) return;
      if (replaces !== undefined && replaces !== present.updatedAt.toISOString())
        throw new ServiceError('vocabulary_changed', {
          detail: 'Somebody else has changed this vocabulary meanwhile.',
        });
      await assertUnusedName(tx, accountId, valid.name, id);
      await tx.update(Vocabulary, { id, accountId }, { ...valid, updatedAt: () => 'now()' });
      await record(tx, { action: 'vocabulary.changed', target: id, details: describe(valid) });
    });
  }

  /** @throws ServiceError `no_such_resource` */
  async delete(accountId: string, id: string, record: RecordChange): Promise<void> {
    await inTransaction(this.dataSource, async (tx) => {
      await lockAccountRow(tx, accountId);
      const vocabulary = await this.getFrom(tx, accountId, id);
      await tx.delete(Vocabulary, { id, accountId });
      await record(tx, { action: 'vocabulary.deleted', target: id, details: describe(vocabulary) });
    });
  }

  /**
   * The terms of a job that names a vocabulary.
   * @param custom `custom_vocabulary` of the request
   * @throws ServiceError that names `vocabulary`
   */
  async resolveTerms(accountId: string, name: string, custom: readonly string[]): Promise<string[]> {
    const saved = await findVocabularyTerms(this.dataSource, accountId, name);
    if (saved === undefined)
      throw createInvalidFieldError('vocabulary', describeUnknownName(name, await this.list(accountId)));
    return mergeTermsWithinVocabularyLimit(custom, saved);
  }

  private async getFrom(db: EntityManager, accountId: string, id: string): Promise<Vocabulary> {
    const vocabulary = await db.findOneBy(Vocabulary, { id, accountId });
    if (vocabulary) return vocabulary;
    throw new ServiceError('no_such_resource', { detail: 'The account has no such vocabulary.' });
  }
}

async function assertUnusedName(
  tx: EntityManager,
  accountId: string,
  name: string,
  id: string,
): Promise<void> {
  if (await tx.existsBy(Vocabulary, { accountId, name, id: Not(id) }))
    throw createInvalidFieldError('name', 'is that of another vocabulary of the account');
}

/** For the audit log, which keeps no terms. */
function describe({ name, terms }: VocabularyContent): Record<string, unknown> {
  return { name, terms: terms.length };
}

function describeUnknownName(name: string, known: readonly VocabularySummary[]): string {
  const nearest = findNearestName(
    name,
    known.map((vocabulary) => vocabulary.name),
  );
  return `is no vocabulary of the account${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
}
