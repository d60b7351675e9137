import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ObjectsController } from './objects.controller.js';
import { OBJECT_ROUTE_OPTIONS_TOKEN, type ObjectRouteOptions } from './objects.controller.js';

/** Serves `/objects/*`. Needs `StorageModule`, `RequestConcurrencyLimiters` and `registerUnreadBodyPassthrough`. */
@Module({})
export class ObjectsModule {
  /** @param extraProviders `UploadStillPendingCheck` if uploads belong to jobs, and dependencies that are not global */
  static forRoot(options: ObjectRouteOptions, ...extraProviders: Provider[]): DynamicModule {
    return {
      module: ObjectsModule,
      controllers: [ObjectsController],
      providers: [{ provide: OBJECT_ROUTE_OPTIONS_TOKEN, useValue: options }, ...extraProviders],
    };
  }
}
