import { IsOptional, IsString, MaxLength } from 'class-validator';
import { IsPlainText } from '../validation/is-plain-text.js';

export class PasswordSignInDto {
  @IsPlainText({ message: 'must have no control characters' })
  @MaxLength(254)
  @IsString({ message: 'must be text' })
  email: string;

  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class EmailDto {
  @IsPlainText({ message: 'must have no control characters' })
  @MaxLength(254)
  @IsString({ message: 'must be text' })
  email: string;
}

export class TokenDto {
  @IsString()
  @MaxLength(200)
  token: string;
}

export class SecondFactorDto {
  /** Of the answer to the first step. */
  @IsString()
  @MaxLength(200)
  challenge: string;

  /** Six digits, or a recovery code. */
  @IsString()
  @MaxLength(64)
  code: string;
}

export class SetPasswordByLinkDto extends TokenDto {
  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class AcceptInvitationDto extends TokenDto {
  /** Of a new user; without it the signed-in user accepts. */
  @IsOptional()
  @IsPlainText({ message: 'must have no control characters' })
  @MaxLength(200)
  @IsString({ message: 'must be text' })
  name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  password?: string;
}
