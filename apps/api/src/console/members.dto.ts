import { type Role, ROLES } from '@app/auth';
import { IsEmail, IsIn } from 'class-validator';

export class RoleDto {
  @IsIn(ROLES)
  role: Role;
}

export class InviteDto extends RoleDto {
  @IsEmail()
  email: string;
}
