import { ServiceError } from '@app/errors';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { isUUID } from 'class-validator';

const NAME_PATTERN = /^[\w-]+$/;

/** For ids of keys and passkeys, which are no UUIDs. */
@Injectable()
export class KeyOrPasskeyIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!NAME_PATTERN.test(id)) throw new ServiceError('no_such_resource');
    return id;
  }
}

/** What is no UUID is the id of nothing. */
@Injectable()
export class UuidResourceIdPipe implements PipeTransform<string, string> {
  transform(id: string): string {
    if (!isUUID(id, 'loose')) throw new ServiceError('no_such_resource');
    return id;
  }
}
