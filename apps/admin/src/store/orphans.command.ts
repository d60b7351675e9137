import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult, formatTable } from '../output.js';
import { CommandContext } from '../command-context.js';
import { deleteOrphans, listOrphans, type OrphanRow } from './orphan-rows.js';
import { withObjectStore } from './with-object-store.js';

interface OrphansOptions extends JsonOption {
  yes?: boolean;
}

/** One command and not two, one below the other: `--json` would be taken by the upper one. */
@SubCommand({
  name: 'orphans',
  arguments: '[delete]',
  description: 'list stored objects that no row refers to; `delete --yes` deletes them',
})
export class OrphansCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run([action]: string[], options: OrphansOptions): Promise<void> {
    if (action !== undefined && action !== 'delete')
      throw new CommandError('Use `store orphans` or `store orphans delete`.');
    const tools = await this.context.openWithoutMigrating();
    await withObjectStore(tools, async (store) => {
      const rows = await listOrphans(tools.dataSource, store);
      if (action === undefined) return printResult(options, rows, () => orphansText(rows));
      if (!options.yes)
        throw new CommandError(
          `${rows.length} objects and open uploads would be deleted. If rows are missing, restore the rows instead. To delete, add --yes.`,
        );
      const deleted = await deleteOrphans(tools.dataSource, store, rows);
      printResult(options, { deleted }, () => `Deleted ${deleted} objects and open uploads.`);
    });
  }

  @Option({
    flags: '--yes',
    description: 'with delete: delete them, transcripts included; this cannot be undone',
  })
  parseYes(): boolean {
    return true;
  }
}

function orphansText(rows: OrphanRow[]): string {
  return formatTable(
    ['FIRST SEEN', 'KEY', 'OPEN UPLOAD'],
    rows.map(({ key, upload_id, first_seen_at }) => [first_seen_at ?? '-', key, upload_id ?? '-']),
  );
}
