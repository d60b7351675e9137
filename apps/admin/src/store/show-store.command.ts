import { SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, printResult } from '../output.js';
import { CommandContext } from '../command-context.js';
import { formatStoreReport, buildStoreReport } from './store-report.js';
import { withObjectStore } from './with-object-store.js';

@SubCommand({ name: 'show', description: 'show whether the database and the object store belong together' })
export class ShowStoreCommand extends JsonCommand {
  constructor(private readonly context: CommandContext) {
    super();
  }

  async run(_: string[], options: JsonOption): Promise<void> {
    const tools = await this.context.openWithoutMigrating();
    const report = await withObjectStore(tools, (store) => buildStoreReport(tools.dataSource, store));
    printResult(options, report, () => formatStoreReport(report));
  }
}
