import { Module } from '@nestjs/common';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { AuditController } from './audit.controller.js';
import { ConsoleKeysController } from './keys/keys.controller.js';
import { LimitRequestsController } from './keys/limit-requests.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { SigningSecretController } from './webhooks/signing-secret.controller.js';
import { InvitationController } from './invitation.controller.js';
import { MembersController } from './members.controller.js';
import { ForgottenPassword } from './forgotten-password.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasswordlessSignInController } from './passwordless-sign-in.controller.js';
import { ProfileController } from './profile.controller.js';
import { OidcStateCookie, SessionCookie } from './session-cookie.js';
import { SignedInReply } from './signed-in-reply.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  controllers: [
    SignInController,
    PasswordlessSignInController,
    PasskeysController,
    InvitationController,
    ProfileController,
    MembersController,
    AuditController,
    ConsoleKeysController,
    LimitRequestsController,
    SigningSecretController,
    UsageController,
  ],
  providers: [
    SignedInReply,
    ForgottenPassword,
    {
      provide: OidcStateCookie,
      useFactory: ({ publicUrl }: ApiOptions) => new OidcStateCookie(publicUrl),
      inject: [API_OPTIONS],
    },
    {
      provide: SessionCookie,
      useFactory: ({ publicUrl }: ApiOptions) => new SessionCookie(publicUrl),
      inject: [API_OPTIONS],
    },
  ],
})
export class ConsoleModule {}
