import { ENCRYPTED_RESPONSES, EncryptedRows, Encryptor } from '@app/database';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SealedAnswers } from './sealed-answers.js';
import { Idempotency } from './idempotency.service.js';

/** Needs a `Sealer`. */
@Module({
  providers: [
    Idempotency,
    {
      provide: SealedAnswers,
      useFactory: (dataSource: DataSource, sealer: Encryptor) =>
        new SealedAnswers(new EncryptedRows(dataSource, sealer, ENCRYPTED_RESPONSES)),
      inject: [DataSource, Encryptor],
    },
  ],
  exports: [Idempotency],
})
export class IdempotencyModule {}
