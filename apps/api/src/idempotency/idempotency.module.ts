import { SEALED_ANSWERS, SealedRows, Sealer } from '@app/database';
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
      useFactory: (dataSource: DataSource, sealer: Sealer) =>
        new SealedAnswers(new SealedRows(dataSource, sealer, SEALED_ANSWERS)),
      inject: [DataSource, Sealer],
    },
  ],
  exports: [Idempotency],
})
export class IdempotencyModule {}
