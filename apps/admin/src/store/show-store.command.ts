import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { reportText, storeReport } from './store-report.js';
import { withStore } from './with-store.js';

@SubCommand({ name: 'show', description: 'show whether the database and the object store belong together' })
export class ShowStoreCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const tools = await this.workplace.openAsItIs();
    const report = await withStore(tools, (store) => storeReport(tools.dataSource, store));
    print(options, report, () => reportText(report));
  }
}
