import { IsOptional, IsString, IsUUID, MaxLength } from 'class-validator';

export class SwitchAccountDto {
  @IsUUID()
  account_id: string;
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

export class CodeDto {
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
