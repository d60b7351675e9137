import { MAX_USER_NAME_LENGTH } from '@app/auth';
import { IsOptional, IsString, IsUUID, Matches, MaxLength } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';

export class SwitchAccountDto {
  @IsUUID()
  account_id: string;
}

export class ChangeNameDto {
  @IsPrintableText({ message: 'must have no control characters' })
  @Matches(/\S/, { message: 'must not be empty' })
  @MaxLength(MAX_USER_NAME_LENGTH, { message: `must have at most ${MAX_USER_NAME_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  name: string;
}

export class ChangePasswordDto {
  /** Not needed by a user who has none. */
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  current_password?: string;

  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class SecondFactorCodeDto {
  @IsString()
  @MaxLength(64)
  code: string;
}

export class CurrentPasswordDto {
  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  current_password?: string;
}
