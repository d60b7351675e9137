import { readFile } from 'node:fs/promises';
import type { RecordChange } from '@app/database';
import { ServiceError } from '@app/errors';
import { VocabularyService } from '@app/jobs';
import { SubCommand } from 'nest-commander';
import { recordOperatorAction } from '../operator-audit.js';
import { createParentCommandProviders, OperatorCommand, WithOptions } from '../operator-command.js';
import { CommandError, printResult, printTableOrJson } from '../output.js';
import {
  ACCOUNT_OPTION,
  type AccountCommandOptions,
  resolveGivenOrOnlyAccountId,
} from '../resolve-account.js';

abstract class VocabularyCommand extends OperatorCommand {
  /** @param work gets the account, and records the change in the audit log */
  protected async withVocabularies<T>(
    { account }: AccountCommandOptions,
    work: (vocabularies: VocabularyService, accountId: string, record: RecordChange) => Promise<T>,
  ): Promise<T> {
    const { dataSource } = await this.context.open();
    const accountId = await resolveGivenOrOnlyAccountId(dataSource, account);
    const record: RecordChange = (tx, change) => recordOperatorAction(tx, { accountId, ...change });
    try {
      return await work(new VocabularyService(dataSource), accountId, record);
    } catch (error) {
      throw error instanceof ServiceError ? new CommandError(error.message) : error;
    }
  }
}

@SubCommand({ name: 'list', description: 'list the vocabularies of an account' })
@WithOptions(ACCOUNT_OPTION)
export class ListVocabulariesCommand extends VocabularyCommand {
  async run(_: string[], options: AccountCommandOptions): Promise<void> {
    const found = await this.withVocabularies(options, (all, accountId) => all.list(accountId));
    const rows = found.map(({ id, name, termCount, updatedAt }) => ({
      vocabulary_id: id,
      name,
      terms: termCount,
      updated_at: updatedAt.toISOString(),
    }));
    printTableOrJson(options, rows, {
      VOCABULARY: 'vocabulary_id',
      NAME: 'name',
      TERMS: 'terms',
      UPDATED: 'updated_at',
    });
  }
}

@SubCommand({ name: 'show', arguments: '<name>', description: 'print the terms, one a line' })
@WithOptions(ACCOUNT_OPTION)
export class ShowVocabularyCommand extends VocabularyCommand {
  async run([name = '']: string[], options: AccountCommandOptions): Promise<void> {
    const { terms } = await this.withVocabularies(options, async (all, accountId) =>
      all.get(accountId, await requireId(all, accountId, name)),
    );
    printResult(options, { name, terms }, () => terms.join('\n'));
  }
}

@SubCommand({ name: 'save', arguments: '<name>', description: 'create a vocabulary, or replace its terms' })
@WithOptions(
  { flags: '--file <path>', required: true, description: 'a text file with one term a line' },
  ACCOUNT_OPTION,
)
export class SaveVocabularyCommand extends VocabularyCommand {
  async run([name = '']: string[], options: AccountCommandOptions & { file: string }): Promise<void> {
    const content = { name, terms: await readTerms(options.file) };
    const vocabulary_id = await this.withVocabularies(options, async (all, accountId, record) => {
      const id = await findId(all, accountId, name);
      if (id === undefined) return all.create(accountId, content, record);
      await all.change(accountId, id, content, record);
      return id;
    });
    printResult(options, { vocabulary_id, name }, () => `Vocabulary ${name} is saved.`);
  }
}

@SubCommand({ name: 'delete', arguments: '<name>', description: 'delete it; jobs that exist keep its terms' })
@WithOptions(ACCOUNT_OPTION)
export class DeleteVocabularyCommand extends VocabularyCommand {
  async run([name = '']: string[], options: AccountCommandOptions): Promise<void> {
    await this.withVocabularies(options, async (all, accountId, record) =>
      all.delete(accountId, await requireId(all, accountId, name), record),
    );
    printResult(options, { name, deleted: true }, () => `Vocabulary ${name} is deleted.`);
  }
}

export const VOCABULARY_COMMANDS = createParentCommandProviders(
  { name: 'vocabularies', description: 'list, show, save and delete the vocabularies of an account' },
  [ListVocabulariesCommand, ShowVocabularyCommand, SaveVocabularyCommand, DeleteVocabularyCommand],
);

async function findId(all: VocabularyService, accountId: string, name: string): Promise<string | undefined> {
  return (await all.list(accountId)).find((each) => each.name === name.trim())?.id;
}

async function requireId(all: VocabularyService, accountId: string, name: string): Promise<string> {
  const id = await findId(all, accountId, name);
  if (id === undefined) throw new CommandError(`The account has no vocabulary ${name}.`);
  return id;
}

async function readTerms(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new CommandError(`${path} cannot be read: ${code ?? message}.`);
  });
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
