import { IsOptional, IsString, MaxLength } from 'class-validator';

export class PasswordSignInDto {
  @IsString()
  @MaxLength(254)
  email: string;

  @IsString()
  @MaxLength(1_000)
  password: string;
}

export class EmailDto {
  @IsString()
  @MaxLength(254)
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
  @IsString()
  @MaxLength(200)
  name?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1_000)
  password?: string;
}
