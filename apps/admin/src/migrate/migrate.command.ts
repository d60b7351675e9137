import { schemaDrift } from '@app/database';
import { migrate } from '@app/runtime';
import { Inject } from '@nestjs/common';
import { Command, Option } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { CommandRefused, type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';

@Command({ name: 'migrate', description: 'bring the database schema up to date' })
export class MigrateCommand extends JsonCommand {
  constructor(@Inject(Workplace) private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption & { drift?: boolean }): Promise<void> {
    const { dataSource, foundation } = await this.workplace.openAsItIs();
    if (options.drift) return this.drift(options);
    const applied = await migrate(dataSource, {
      url: foundation.databaseUrl,
      queueInPostgres: foundation.config.queue.redisUrl === undefined,
      logger: foundation.logger,
    });
    const { length: known } = dataSource.migrations;
    print(options, { applied, known }, () => `Schema up to date (${known} migrations).`);
  }

  /** Fails when the entities say something else than the migrations made. */
  private async drift(options: JsonOption): Promise<void> {
    const { dataSource } = await this.workplace.openAsItIs();
    const statements = await schemaDrift(dataSource);
    print(options, { statements }, () => statements.join(';\n') || 'Migrations and entities are in step.');
    if (statements.length > 0) throw new CommandRefused('The entities differ from what the migrations made.');
  }

  @Option({ flags: '--drift', description: 'only compare the entities with the schema; for developers' })
  parseDrift(): boolean {
    return true;
  }
}
