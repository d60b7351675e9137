import { Module } from '@nestjs/common';
import { API_OPTIONS, type ApiOptions } from '../api-options.js';
import { AuditController } from './audit.controller.js';
import { BillingController } from './billing/billing.controller.js';
import { PaymentsController } from './billing/payments.controller.js';
import { CONSOLE_JOB_CONTROLLERS, CONSOLE_JOB_MODULES, CONSOLE_JOB_PROVIDERS } from './jobs/console-jobs.js';
import { ConsoleKeysController } from './keys/keys.controller.js';
import { LimitRequestsController } from './keys/limit-requests.controller.js';
import { AccountSettingsController } from './settings/account.controller.js';
import { VocabulariesController } from './vocabularies/vocabularies.controller.js';
import { UsageController } from './usage/usage.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { SigningSecretController } from './webhooks/signing-secret.controller.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { InvitationController } from './invitation.controller.js';
import { MembersController } from './members.controller.js';
import { ForgottenPassword } from './forgotten-password.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasswordlessSignInController } from './passwordless-sign-in.controller.js';
import { ProfileController } from './profile.controller.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SessionsController } from './sessions.controller.js';
import { OidcStateCookie, SessionCookie } from './session-cookie.js';
import { SignedInReply } from './signed-in-reply.js';
import { SignInController } from './sign-in.controller.js';

@Module({
  imports: [...CONSOLE_JOB_MODULES],
  controllers: [
    SignInController,
    PasswordlessSignInController,
    PasskeysController,
    InvitationController,
    ProfileController,
    SecondFactorController,
    SessionsController,
    MembersController,
    AuditController,
    ConsoleKeysController,
    LimitRequestsController,
    SigningSecretController,
    WebhookEndpointsController,
    DeliveriesController,
    UsageController,
    BillingController,
    PaymentsController,
    ...CONSOLE_JOB_CONTROLLERS,
    AccountSettingsController,
    VocabulariesController,
  ],
  providers: [
    ...CONSOLE_JOB_PROVIDERS,
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
