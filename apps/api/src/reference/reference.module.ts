import { Module } from '@nestjs/common';
import { ApiDocumentHolder } from './api-document-holder.js';
import { ReferenceController } from './reference.controller.js';

@Module({
  controllers: [ReferenceController],
  providers: [ApiDocumentHolder],
})
export class ReferenceModule {}
