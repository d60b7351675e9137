import { type DynamicModule, Module } from '@nestjs/common';
import { ObjectsController } from './objects.controller.js';
import { OBJECTS_OPTIONS, type ObjectsOptions } from './objects-options.js';

/** `/objects/*`: where the addresses of a file store lead. Needs `StorageModule` and `handOverBodies`. */
@Module({})
export class ObjectsModule {
  static forRoot(options: ObjectsOptions): DynamicModule {
    return {
      module: ObjectsModule,
      controllers: [ObjectsController],
      providers: [{ provide: OBJECTS_OPTIONS, useValue: options }],
    };
  }
}
