import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { IsString, Length, MaxLength } from 'class-validator';
import { IsPrintableText } from '../../validation/is-printable-text.js';
import { ApiNumberProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';
import { CreateApiKeyDto } from '../keys/keys.dto.js';

const MAX_MACHINE_LENGTH = 100;
const MAX_CODE_LENGTH = 40;

@ApiSchema({ name: 'StartCommandLineSignIn' })
export class StartCommandLineSignInDto {
  @ApiProperty({
    type: String,
    minLength: 1,
    maxLength: MAX_MACHINE_LENGTH,
    description: 'Name of the machine.',
  })
  @IsPrintableText({ message: 'must have no control characters' })
  @Length(1, MAX_MACHINE_LENGTH, { message: `must have 1 to ${MAX_MACHINE_LENGTH} characters` })
  @IsString({ message: 'must be text' })
  machine: string;
}

export class StartedCommandLineSignInResponse {
  @ApiTextProperty({ description: 'Secret. The command line polls with it.' })
  device_code: string;

  @ApiTextProperty({ description: 'Shown by the command line.' })
  user_code: string;

  @ApiTextProperty({ format: 'uri', description: 'The page on which the code is entered.' })
  verification_uri: string;

  @ApiNumberProperty({ type: 'integer', description: 'Seconds.' })
  expires_in: number;

  @ApiNumberProperty({ type: 'integer', description: 'Seconds between two polls.' })
  interval: number;
}

@ApiSchema({ name: 'PollCommandLineSignIn' })
export class PollCommandLineSignInDto {
  @ApiProperty({ type: String })
  @IsString({ message: 'must be text' })
  @MaxLength(200)
  device_code: string;
}

export class CommandLinePollResponse {
  @ApiTextProperty({
    enum: ['pending', 'slow_down', 'approved', 'ended'],
    description: '`ended`: refused, expired, or the key was returned before.',
  })
  state: string;

  @ApiTextProperty({ nullable: true, description: 'The text of the key, once.' })
  api_key: string | null;
}

@ApiSchema({ name: 'CommandLineCode' })
export class CommandLineUserCodeDto {
  @ApiProperty({ type: String, maxLength: MAX_CODE_LENGTH, description: 'Case and hyphens do not matter.' })
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_CODE_LENGTH)
  user_code: string;
}

export class PendingCommandLineSignInResponse {
  @ApiTextProperty({ description: 'As the command line named it.' })
  machine: string;

  @ApiTextProperty({ nullable: true, description: 'Where the request came from.' })
  address: string | null;

  @ApiTimeProperty()
  expires_at: Date;
}

@ApiSchema({ name: 'ApproveCommandLine' })
export class ApproveCommandLineSignInDto extends CreateApiKeyDto {
  @ApiProperty({ type: String, maxLength: MAX_CODE_LENGTH })
  @IsString({ message: 'must be text' })
  @MaxLength(MAX_CODE_LENGTH)
  user_code: string;
}
