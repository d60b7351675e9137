import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ObjectsController } from './objects.controller.js';
import { OBJECTS_OPTIONS, type ObjectsOptions } from './objects-options.js';

/** `/objects/*`: where the addresses of a file store lead. Needs `StorageModule`, `Pressure` and `handOverBodies`. */
@Module({})
export class ObjectsModule {
  /** @param more provider of `UploadGate`, where the addresses belong to uploads of jobs, and of what is not global */
  static forRoot(options: ObjectsOptions, ...more: Provider[]): DynamicModule {
    return {
      module: ObjectsModule,
      controllers: [ObjectsController],
      providers: [{ provide: OBJECTS_OPTIONS, useValue: options }, ...more],
    };
  }
}
