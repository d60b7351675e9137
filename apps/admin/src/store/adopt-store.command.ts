import { adoptStore } from '@app/installation';

import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandError, type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { formatStoreReport, buildStoreReport } from './store-report.js';
import { withObjectStore } from './with-object-store.js';

const CONSEQUENCES =
  'Adopting gives this database and this object store a new store id. Programs that use either of them together with another one will stop. No job and no object changes; `store orphans` lists objects of jobs that the database does not know.';

@SubCommand({
  name: 'adopt',
  description: 'declare that this database and this object store belong together from now on',
})
export class AdoptStoreCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption & { yes?: boolean }): Promise<void> {
    const tools = await this.context.openWithoutMigrating();
    const report = await withObjectStore(tools, async (store) => {
      const before = await buildStoreReport(tools.dataSource, store);
      if (before.state === 'database_older')
        throw new CommandError(
          'They belong together, but the database is older than its store: see `store reconcile`.',
        );
      if (!options.yes)
        throw new CommandError(`${formatStoreReport(before)}\n${CONSEQUENCES}\nTo do so, add --yes.`);
      await adoptStore(tools.dataSource, store);
      return buildStoreReport(tools.dataSource, store);
    });
    printResult(options, report, () => formatStoreReport(report));
  }

  @Option({ flags: '--yes', description: 'do it, instead of only explaining the consequences' })
  parseYes(): boolean {
    return true;
  }
}
