import { type MemberRole, ROLES } from '@app/auth';
import type { MailResult } from '@app/runtime';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { ApiBooleanProperty, ApiTextProperty, ApiTimeProperty } from '../console.openapi.js';

export class MemberRoleDto {
  @IsIn(ROLES)
  role: MemberRole;
}

export class InviteDto extends MemberRoleDto {
  @IsString({ message: 'must be a mail address' })
  email: string;
}

export class MemberResponse {
  @ApiTextProperty({ format: 'uuid' })
  user_id: string;

  @ApiTextProperty()
  email: string;

  @ApiTextProperty()
  name: string;

  @ApiTextProperty({ enum: ROLES })
  role: MemberRole;

  @ApiBooleanProperty({ description: 'The operator has disabled the user.' })
  disabled: boolean;

  @ApiTimeProperty()
  joined_at: Date;

  @ApiTimeProperty({ nullable: true })
  last_seen_at: Date | null;
}

export class MemberListResponse {
  @ApiProperty({ type: [MemberResponse] })
  members: MemberResponse[];
}

export class InvitationResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty()
  email: string;

  @ApiTextProperty({ enum: ROLES })
  role: MemberRole;

  @ApiTimeProperty()
  created_at: Date;

  @ApiTimeProperty()
  expires_at: Date;
}

export class InvitationListResponse {
  @ApiProperty({ type: [InvitationResponse], description: 'Open ones.' })
  invitations: InvitationResponse[];
}

export class NewInvitationResponse {
  @ApiTextProperty({ format: 'uuid' })
  id: string;

  @ApiTextProperty({
    nullable: true,
    description: 'Shown once, to pass on; null if it was or may have been mailed.',
  })
  link: string | null;

  @ApiTextProperty({ enum: ['sent', 'failed', 'unknown', 'not_configured'] })
  mail: MailResult;
}
