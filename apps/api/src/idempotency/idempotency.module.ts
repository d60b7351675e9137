import { ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE, RowEncryptor, Encryptor } from '@app/database';
import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ResponseCipher } from './response-cipher.js';
import { IdempotencyService } from './idempotency.service.js';

@Module({
  providers: [
    IdempotencyService,
    {
      provide: ResponseCipher,
      useFactory: (dataSource: DataSource, encryptor: Encryptor) =>
        new ResponseCipher(new RowEncryptor(dataSource, encryptor, ENCRYPTED_IDEMPOTENT_RESPONSES_TABLE)),
      inject: [DataSource, Encryptor],
    },
  ],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
