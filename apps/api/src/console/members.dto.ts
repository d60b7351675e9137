import { type Role, ROLES } from '@app/auth';
import type { MailResult } from '@app/runtime';
import { ApiProperty } from '@nestjs/swagger';
import { isEmail, ValidateBy, IsIn } from 'class-validator';
import { isPlainText } from '../validation/is-plain-text.js';
import { BooleanField, TextField, TimeField } from './console.openapi.js';

export class RoleDto {
  @IsIn(ROLES)
  role: Role;
}

export class InviteDto extends RoleDto {
  // By itself, `isEmail` throws at a lone surrogate.
  @ValidateBy({
    name: 'isMailAddress',
    validator: {
      validate: (value) => isPlainText(value) && isEmail(value),
      defaultMessage: () => 'must be a mail address',
    },
  })
  email: string;
}

export class MemberResponse {
  @TextField({ format: 'uuid' })
  user_id: string;

  @TextField()
  email: string;

  @TextField()
  name: string;

  @TextField({ enum: ROLES })
  role: Role;

  @BooleanField({ description: 'The operator has disabled the user.' })
  disabled: boolean;

  @TimeField()
  joined_at: Date;

  @TimeField({ nullable: true })
  last_seen_at: Date | null;
}

export class MemberListResponse {
  @ApiProperty({ type: [MemberResponse] })
  members: MemberResponse[];
}

export class InvitationResponse {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField()
  email: string;

  @TextField({ enum: ROLES })
  role: Role;

  @TimeField()
  created_at: Date;

  @TimeField()
  expires_at: Date;
}

export class InvitationListResponse {
  @ApiProperty({ type: [InvitationResponse], description: 'Open ones.' })
  invitations: InvitationResponse[];
}

export class NewInvitationResponse {
  @TextField({ format: 'uuid' })
  id: string;

  @TextField({ nullable: true, description: 'Shown once, to pass on; null if it was mailed.' })
  link: string | null;

  @TextField({ enum: ['sent', 'failed', 'not_configured'] })
  mail: MailResult;
}
