import { Module } from '@nestjs/common';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { AuditController } from './audit.controller.js';
import { InvitationController } from './invitation.controller.js';
import { MembersController } from './members.controller.js';
import { ProfileController } from './profile.controller.js';
import { SessionCookie } from './session-cookie.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  controllers: [
    SignInController,
    InvitationController,
    ProfileController,
    MembersController,
    AuditController,
  ],
  providers: [
    {
      provide: SessionCookie,
      useFactory: ({ publicUrl }: ApiOptions) => new SessionCookie(publicUrl),
      inject: [API_OPTIONS],
    },
  ],
})
export class ConsoleModule {}
