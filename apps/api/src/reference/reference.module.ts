import { Module } from '@nestjs/common';
import { PublishedDocument } from './published-document.js';
import { ReferenceController } from './reference.controller.js';

/** The OpenAPI document and the reference page. */
@Module({
  controllers: [ReferenceController],
  providers: [{ provide: PublishedDocument, useFactory: () => new PublishedDocument() }],
})
export class ReferenceModule {}
