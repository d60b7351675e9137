import { type Permission, PERMISSIONS, type Role, ROLES } from '@app/auth';
import { ApiProperty } from '@nestjs/swagger';
import { BooleanField, NumberField, TextField } from './console.openapi.js';

export class SessionUser {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField()
  email: string;

  @TextField()
  name: string;

  @BooleanField({ description: 'Without one, changes of the profile need a recent sign-in.' })
  has_password: boolean;

  @BooleanField()
  second_factor: boolean;

  @NumberField({ type: 'integer', description: 'Recovery codes that are left.' })
  recovery_codes: number;

  @NumberField({ type: 'integer' })
  passkeys: number;
}

export class AccountOfUser {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField()
  name: string;

  @TextField({ enum: ROLES })
  role: Role;
}

export class AccountOfSession extends AccountOfUser {
  @ApiProperty({
    type: [String],
    enum: PERMISSIONS,
    description: 'None if the account requires two factors and the session has one.',
  })
  permissions: Permission[];

  @BooleanField()
  requires_two_factors: boolean;
}

export class SessionResponse {
  @ApiProperty({ type: SessionUser })
  user: SessionUser;

  @BooleanField({ description: 'Whether two factors have verified the user, at the sign-in or later.' })
  two_factors: boolean;

  @ApiProperty({
    type: AccountOfSession,
    nullable: true,
    description: 'Null for a user who is a member of no account.',
  })
  account: AccountOfSession | null;

  @ApiProperty({ type: [AccountOfUser] })
  accounts: AccountOfUser[];
}

export class SecondFactorSecretResponse {
  @TextField()
  secret: string;

  @TextField({ description: 'For the QR code.' })
  uri: string;
}

export class RecoveryCodesResponse {
  @ApiProperty({ type: [String], description: 'Shown once.' })
  recovery_codes: string[];
}
