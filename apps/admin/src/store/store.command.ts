import { adoptStoreWithNewId } from '@app/installation';
import { SubCommand } from 'nest-commander';
import { withObjectStoreIfSchemaIsCurrent } from '../lazy-admin-services.js';
import { WithOptions, createParentCommandProviders, OperatorCommand } from '../operator-command.js';
import { CommandError, type JsonOption, printResult, printTableOrJson } from '../output.js';
import { runAndRecordOperatorAction } from '../operator-audit.js';
import { recheckAndDeleteListedOrphans, listOrphanObjectsAndUploads } from './orphan-objects.js';
import { ReconcileStoreCommand } from './reconcile-store.command.js';
import { readStoreIdentityReport, formatStoreIdentityReport } from './store-identity-report.js';

interface ConfirmOption extends JsonOption {
  yes?: boolean;
}

@SubCommand({ name: 'show', description: 'show whether the database and the object store belong together' })
export class ShowStoreCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption): Promise<void> {
    const services = await this.context.openWithoutMigrating();
    const report = await withObjectStoreIfSchemaIsCurrent(
      services,
      (store) => readStoreIdentityReport(services.dataSource, store),
      { mayBeNewer: true },
    );
    printResult(options, report, () => formatStoreIdentityReport(report));
  }
}

const CONSEQUENCES =
  'Adopting gives this database and this object store a new store id. Programs that use either of them together with another one will stop. No job and no object changes; `store orphans` lists objects of jobs that the database does not know.';

@SubCommand({
  name: 'adopt',
  description: 'declare that this database and this object store belong together from now on',
})
@WithOptions({ flags: '--yes', description: 'do it, instead of only explaining the consequences' })
export class AdoptStoreCommand extends OperatorCommand {
  async run(_: string[], options: ConfirmOption): Promise<void> {
    const services = await this.context.openWithoutMigrating({ mayWrite: options.yes === true });
    const report = await withObjectStoreIfSchemaIsCurrent(services, async (store) => {
      const before = await readStoreIdentityReport(services.dataSource, store);
      if (before.state === 'database_older')
        throw new CommandError(
          'They belong together, but the database is older than its store: see `store reconcile`.',
        );
      if (!options.yes)
        throw new CommandError(`${formatStoreIdentityReport(before)}\n${CONSEQUENCES}\nTo do so, add --yes.`);
      await runAndRecordOperatorAction(
        services.dataSource,
        { accountId: null, action: 'store.adopted' },
        () => adoptStoreWithNewId(services.dataSource, store),
        ({ storeId, generation }) => ({ store_id: storeId, generation }),
      );
      return readStoreIdentityReport(services.dataSource, store);
    });
    printResult(options, report, () => formatStoreIdentityReport(report));
  }
}

/** `delete` is an argument and not a subcommand: `orphans` would consume the `--json` of a subcommand. */
@SubCommand({
  name: 'orphans',
  arguments: '[delete]',
  description: 'list stored objects that no row refers to; `delete --yes` deletes them',
})
@WithOptions({
  flags: '--yes',
  description: 'with delete: delete them, transcripts included; this cannot be undone',
})
export class ListOrDeleteOrphansCommand extends OperatorCommand {
  async run([action]: string[], options: ConfirmOption): Promise<void> {
    if (action !== undefined && action !== 'delete')
      throw new CommandError('Use `store orphans` or `store orphans delete`.');
    const services = await this.context.openWithoutMigrating({ mayWrite: options.yes === true });
    await withObjectStoreIfSchemaIsCurrent(services, async (store) => {
      const rows = await listOrphanObjectsAndUploads(services.dataSource, store);
      if (action === undefined)
        return printTableOrJson(options, rows, {
          'FIRST SEEN': 'first_seen_at',
          KEY: 'key',
          'OPEN UPLOAD': 'upload_id',
        });
      if (!options.yes)
        throw new CommandError(
          `${rows.length} objects and open uploads would be deleted. If rows are missing, restore the rows instead. To delete, add --yes.`,
        );
      const deleted = await runAndRecordOperatorAction(
        services.dataSource,
        { accountId: null, action: 'store.orphans_deleted', details: { found: rows.length } },
        () => recheckAndDeleteListedOrphans(services.dataSource, store, rows),
        (count) => ({ deleted: count }),
      );
      printResult(options, { deleted }, () => `Deleted ${deleted} objects and open uploads.`);
    });
  }
}

export const STORE_COMMANDS = createParentCommandProviders(
  { name: 'store', description: 'the object store: its installation, and orphans' },
  [ShowStoreCommand, AdoptStoreCommand, ReconcileStoreCommand, ListOrDeleteOrphansCommand],
);
