import { ENCRYPTED_RESPONSES, EncryptedRows, Encryptor } from '@app/database';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SealedResponses } from './sealed-responses.js';
import { IdempotencyService } from './idempotency.service.js';

/** Needs a `Encryptor`. */
@Module({
  providers: [
    IdempotencyService,
    {
      provide: SealedResponses,
      useFactory: (dataSource: DataSource, sealer: Encryptor) =>
        new SealedResponses(new EncryptedRows(dataSource, sealer, ENCRYPTED_RESPONSES)),
      inject: [DataSource, Encryptor],
    },
  ],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
