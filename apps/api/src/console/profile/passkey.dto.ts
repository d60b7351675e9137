import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsIn, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import { NestedDto } from '../../validation/nested-dto.js';
import { ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

const MAX_ENCODED_LENGTH = 20_000;
const MAX_ID_LENGTH = 1_400;
const MAX_TRANSPORTS = 20;
const MAX_TRANSPORT_LENGTH = 64;

class AttestationDto {
  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  clientDataJSON: string;

  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  attestationObject: string;

  /** Browsers may report ways that are not known yet. */
  @IsOptional()
  @MaxLength(MAX_TRANSPORT_LENGTH, { each: true })
  @IsString({ each: true, message: 'must hold texts only' })
  @ArrayMaxSize(MAX_TRANSPORTS, { message: `must hold at most ${MAX_TRANSPORTS} texts` })
  @IsArray()
  transports?: RegistrationResponseJSON['response']['transports'];
}

class AssertionDto {
  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  clientDataJSON: string;

  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  authenticatorData: string;

  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  signature: string;

  @IsOptional()
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  userHandle?: string;
}

/** What `PublicKeyCredential.toJSON()` of a browser has. */
class CredentialDto {
  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  id: string;

  @IsString()
  @MaxLength(MAX_ID_LENGTH)
  rawId: string;

  @IsIn(['public-key'])
  type: 'public-key';

  @IsOptional()
  @IsString()
  authenticatorAttachment?: 'platform' | 'cross-platform';

  @IsOptional()
  @IsObject()
  clientExtensionResults: AuthenticationResponseJSON['clientExtensionResults'] = {};
}

class RegistrationCredentialDto extends CredentialDto {
  @NestedDto(AttestationDto)
  response: AttestationDto;
}

class AuthenticationCredentialDto extends CredentialDto {
  @NestedDto(AssertionDto)
  response: AssertionDto;
}

export class PasskeyNameDto {
  @IsPrintableText({ message: 'must have no control characters' })
  @MaxLength(1_000)
  @IsString({ message: 'must be text' })
  name: string;
}

export class RegisterPasskeyDto extends PasskeyNameDto {
  @NestedDto(RegistrationCredentialDto)
  credential: RegistrationCredentialDto;
}

export class PasskeySignInDto {
  @NestedDto(AuthenticationCredentialDto)
  credential: AuthenticationCredentialDto;
}

export class PasskeyResponse {
  @ApiTextProperty()
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty({ nullable: true })
  last_used_at: Date | null;
}

export class PasskeyListResponse {
  @ApiProperty({ type: [PasskeyResponse] })
  passkeys: PasskeyResponse[];
}

export class NewPasskeyResponse {
  @ApiTextProperty()
  id: string;
}
