import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ObjectsController } from './objects.controller.js';
import { OBJECTS_OPTIONS, type ObjectsOptions } from './objects-options.js';

/** `/objects/*`: where the addresses of a file store lead. Needs `StorageModule` and `handOverBodies`. */
@Module({})
export class ObjectsModule {
  /** @param gate provider of `UploadGate`, where the addresses belong to uploads of jobs. */
  static forRoot(options: ObjectsOptions, ...gate: Provider[]): DynamicModule {
    return {
      module: ObjectsModule,
      controllers: [ObjectsController],
      providers: [{ provide: OBJECTS_OPTIONS, useValue: options }, ...gate],
    };
  }
}
