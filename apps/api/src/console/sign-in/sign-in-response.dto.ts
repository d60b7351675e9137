import { type MemberRole, ROLES } from '@app/auth';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ApiBooleanProperty, ApiTextProperty } from '../console.openapi.js';

export class SignInResponse {
  @ApiTextProperty({ enum: ['signed_in', 'second_factor'] })
  state: 'signed_in' | 'second_factor';

  @ApiPropertyOptional({ type: String, description: 'With `second_factor`, for the request with its code.' })
  challenge?: string;
}

/** What the sign-in page offers. */
export class SignInMethodsResponse {
  @ApiBooleanProperty()
  password: boolean;

  @ApiBooleanProperty()
  passkey: boolean;

  @ApiBooleanProperty()
  oidc: boolean;

  @ApiBooleanProperty({ description: 'Whether a link for a new password can be mailed.' })
  forgot_password: boolean;
}

export class OidcStartResponse {
  @ApiTextProperty({ description: 'The URL at the provider that the page opens.' })
  url: string;
}

export class InvitationPreviewResponse {
  @ApiTextProperty({ description: 'Name of the account.' })
  account: string;

  @ApiTextProperty()
  email: string;

  @ApiTextProperty({ enum: ROLES })
  role: MemberRole;
}
