import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print, table } from '../output.js';
import { Workplace } from '../workplace.js';
import { deleteOrphans, listOrphans, type OrphanRow } from './orphan-rows.js';
import { withStore } from './with-store.js';

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
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run([action]: string[], options: OrphansOptions): Promise<void> {
    if (action !== undefined && action !== 'delete')
      throw new CommandRefused('Use `store orphans` or `store orphans delete`.');
    const tools = await this.workplace.openAsItIs();
    await withStore(tools, async (store) => {
      const rows = await listOrphans(tools.dataSource, store);
      if (action === undefined) return print(options, rows, () => orphansText(rows));
      if (!options.yes)
        throw new CommandRefused(
          `${rows.length} objects and open uploads would be deleted. If rows are missing, restore the rows instead. To delete, add --yes.`,
        );
      const deleted = await deleteOrphans(tools.dataSource, store, rows);
      print(options, { deleted }, () => `Deleted ${deleted} objects and open uploads.`);
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
  return table(
    ['FIRST SEEN', 'KEY', 'OPEN UPLOAD'],
    rows.map(({ key, upload_id, first_seen_at }) => [first_seen_at ?? '-', key, upload_id ?? '-']),
  );
}
