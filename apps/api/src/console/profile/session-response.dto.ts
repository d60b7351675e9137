import { type Permission, ALL_PERMISSIONS, type MemberRole, ROLES } from '@app/auth';
import { ApiProperty } from '@nestjs/swagger';
import { ApiBooleanProperty, ApiNumberProperty, ApiTextProperty } from '../console.openapi.js';

export class SessionUser {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  email: string;

  @ApiTextProperty()
  name: string;

  @ApiBooleanProperty({ description: 'Without one, changes of the profile need a recent sign-in.' })
  has_password: boolean;

  @ApiBooleanProperty()
  second_factor: boolean;

  @ApiNumberProperty({ type: 'integer', description: 'Recovery codes that are left.' })
  recovery_codes: number;

  @ApiNumberProperty({ type: 'integer' })
  passkeys: number;
}

export class AccountOfUserResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  name: string;

  @ApiTextProperty({ enum: ROLES })
  role: MemberRole;
}

export class AccountOfSession extends AccountOfUserResponse {
  @ApiProperty({
    type: [String],
    enum: ALL_PERMISSIONS,
    description: 'None if the service or the account requires two factors and the session has one.',
  })
  permissions: Permission[];

  @ApiTextProperty({
    enum: ['service', 'account'],
    nullable: true,
    description: 'Who requires two factors of the members; null if one is enough.',
  })
  two_factors_required_by: 'service' | 'account' | null;
}

export class SessionResponse {
  @ApiProperty({ type: SessionUser })
  user: SessionUser;

  @ApiBooleanProperty({ description: 'Whether two factors have verified the user, at the sign-in or later.' })
  two_factors: boolean;

  @ApiProperty({
    type: AccountOfSession,
    nullable: true,
    description: 'Null for a user who is a member of no account.',
  })
  account: AccountOfSession | null;

  @ApiProperty({ type: [AccountOfUserResponse] })
  accounts: AccountOfUserResponse[];
}

export class SecondFactorSecretResponse {
  @ApiTextProperty()
  secret: string;

  @ApiTextProperty({ description: 'For the QR code.' })
  uri: string;
}

export class RecoveryCodesResponse {
  @ApiProperty({ type: [String], description: 'Shown once.' })
  recovery_codes: string[];
}
