import { MAX_USER_NAME_LENGTH } from '@app/auth';
import { IsOptional, IsString, MaxLength } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';

export class PasswordSignInDto {
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(254)
  @IsString({ message: 'must be text' })
  email: string;

  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class ForgottenPasswordDto {
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(254)
  @IsString({ message: 'must be text' })
  email: string;
}

export class LinkTokenDto {
  @IsString()
  @MaxLength(200)
  token: string;
}

export class StartOidcSignInDto {
  /** Of the link of an invitation, which the sign-in accepts for a new user. */
  @IsOptional()
  @IsString()
  @MaxLength(200)
  invitation_token?: string;
}

export class SecondFactorSignInDto {
  /** From the response to the first step. */
  @IsString()
  @MaxLength(200)
  challenge: string;

  /** Six digits, or a recovery code. */
  @IsString()
  @MaxLength(64)
  code: string;
}

export class SetPasswordByLinkDto extends LinkTokenDto {
  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class AcceptInvitationDto extends LinkTokenDto {
  /** Name of a new user; without it the signed-in user accepts. */
  @IsOptional()
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(MAX_USER_NAME_LENGTH)
  @IsString({ message: 'must be text' })
  name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  password?: string;
}
