import { adoptStore } from '@app/installation';

import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { reportText, storeReport } from './store-report.js';
import { withStore } from './with-store.js';

const MEANS =
  'Adopting gives this database and this object store a new store id. Programs that use either of them together with another one will stop. No job and no object changes; `store orphans` lists objects of jobs that the database does not know.';

@SubCommand({
  name: 'adopt',
  description: 'declare that this database and this object store belong together from now on',
})
export class AdoptStoreCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption & { yes?: boolean }): Promise<void> {
    const tools = await this.workplace.openAsItIs();
    const report = await withStore(tools, async (store) => {
      const before = await storeReport(tools.dataSource, store);
      if (before.state === 'database_older')
        throw new CommandRefused(
          'They belong together, but the database is older than its store: see `store reconcile`.',
        );
      if (!options.yes) throw new CommandRefused(`${reportText(before)}\n${MEANS}\nTo do so, add --yes.`);
      await adoptStore(tools.dataSource, store);
      return storeReport(tools.dataSource, store);
    });
    print(options, report, () => reportText(report));
  }

  @Option({ flags: '--yes', description: 'do it, instead of only explaining the consequences' })
  parseYes(): boolean {
    return true;
  }
}
