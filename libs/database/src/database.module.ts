import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createDataSource, type DatabaseOptions } from './data-source.js';

/** Closes the `DataSource` in `onApplicationShutdown`, so work on it must end in an earlier hook. */
@Module({})
export class DatabaseModule {
  static forRoot(options: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRootAsync({
          // The program has already waited for its database, so a failure now fails the start.
          useFactory: () => ({ toRetry: () => false }),
          dataSourceFactory: () => createDataSource(options).initialize(),
        }),
      ],
    };
  }
}
