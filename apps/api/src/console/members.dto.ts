import { type Role, ROLES } from '@app/auth';
import type { MailResult } from '@app/runtime';
import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, IsIn } from 'class-validator';
import { BooleanField, TextField, TimeField } from './console.openapi.js';

export class RoleDto {
  @IsIn(ROLES)
  role: Role;
}

export class InviteDto extends RoleDto {
  @IsEmail()
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
