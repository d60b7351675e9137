import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsObject, IsOptional, IsString, MaxLength, ValidateNested } from 'class-validator';
import { HasNoControlCharacters } from '../validation/has-no-control-characters.js';
import { ApiTextProperty, ApiTimeProperty } from './console.openapi.js';

const MAX_ENCODED_LENGTH = 20_000;
const MAX_ID_LENGTH = 1_400;

class AttestationDto {
  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  clientDataJSON: string;

  @IsString()
  @MaxLength(MAX_ENCODED_LENGTH)
  attestationObject: string;

  @IsOptional()
  @IsArray()
  @IsIn(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'], { each: true })
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
  @ValidateNested()
  @Type(() => AttestationDto)
  response: AttestationDto;
}

class AuthenticationCredentialDto extends CredentialDto {
  @ValidateNested()
  @Type(() => AssertionDto)
  response: AssertionDto;
}

export class PasskeyNameDto {
  @HasNoControlCharacters({ message: 'must have no control characters' })
  @MaxLength(1_000)
  @IsString({ message: 'must be text' })
  name: string;
}

export class RegisterPasskeyDto extends PasskeyNameDto {
  @ValidateNested()
  @Type(() => RegistrationCredentialDto)
  credential: RegistrationCredentialDto;
}

export class PasskeySignInDto {
  @ValidateNested()
  @Type(() => AuthenticationCredentialDto)
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
