import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ObjectsController } from './objects.controller.js';
import { OBJECTS_OPTIONS, type ObjectsOptions } from './objects-options.js';

/** `/objects/*`: where the addresses of a file store lead. Needs `StorageModule`, `Pressure` and `registerRawBodyParser`. */
@Module({})
export class ObjectsModule {
  /** @param extraProviders provider of `PendingUploadCheck`, where the addresses belong to uploads of jobs, and of what is not global */
  static forRoot(options: ObjectsOptions, ...extraProviders: Provider[]): DynamicModule {
    return {
      module: ObjectsModule,
      controllers: [ObjectsController],
      providers: [{ provide: OBJECTS_OPTIONS, useValue: options }, ...extraProviders],
    };
  }
}
