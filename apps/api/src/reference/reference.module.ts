import { Module } from '@nestjs/common';
import { PublishedApiDocument } from './published-document.js';
import { ReferenceController } from './reference.controller.js';

@Module({
  controllers: [ReferenceController],
  providers: [PublishedApiDocument],
})
export class ReferenceModule {}
