import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createDataSource, type DatabaseOptions } from './data-source.js';

/**
 * The one `DataSource` of the process, for every module. It is closed in `onApplicationShutdown`: work on it has to end in
 * an earlier hook.
 */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // The program has waited for its database already: what fails now fails the start.
          useFactory: () => ({ toRetry: () => false }),
          dataSourceFactory: () => createDataSource(options).initialize(),
        }),
      ],
    };
  }
}
