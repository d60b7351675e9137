import { type Role, ROLES } from '@app/auth';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { BooleanField, TextField } from './console.openapi.js';

export class SignInResponse {
  @TextField({ enum: ['signed_in', 'second_factor'] })
  state: 'signed_in' | 'second_factor';

  @ApiPropertyOptional({ type: String, description: 'With `second_factor`, for the request with its code.' })
  challenge?: string;
}

/** What the sign-in page offers. */
export class SignInMethodsResponse {
  @BooleanField()
  password: boolean;

  @BooleanField()
  passkey: boolean;

  @BooleanField()
  oidc: boolean;

  @BooleanField({ description: 'Whether a link for a new password can be mailed.' })
  forgot_password: boolean;
}

export class OidcStartResponse {
  @TextField({ description: 'The address at the provider that the page opens.' })
  url: string;
}

export class InvitationPreviewResponse {
  @TextField({ description: 'Name of the account.' })
  account: string;

  @TextField()
  email: string;

  @TextField({ enum: ROLES })
  role: Role;
}
