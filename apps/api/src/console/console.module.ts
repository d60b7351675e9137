import { Module } from '@nestjs/common';
import { API_OPTIONS_TOKEN, type ApiOptions } from '../api-options.js';
import { AuditController } from './audit/audit.controller.js';
import { BillingSettingsController } from './billing/billing.controller.js';
import { PaymentsAndTopUpsController } from './billing/payments.controller.js';
import {
  CONSOLE_JOB_CONTROLLERS,
  CONSOLE_JOB_MODULES,
  CONSOLE_JOB_PROVIDERS,
} from './jobs/console-job-routes.js';
import { CommandLineSignInController } from './command-line/command-line-sign-in.controller.js';
import { ConsoleApiKeysController } from './keys/keys.controller.js';
import { RateLimitIncreaseRequestsController } from './keys/rate-limit-increase-requests.controller.js';
import { AccountSettingsController } from './settings/account.controller.js';
import { VocabulariesController } from './vocabularies/vocabularies.controller.js';
import { UsageBalanceAndLedgerController } from './usage/usage.controller.js';
import { DeliveriesController } from './webhooks/deliveries.controller.js';
import { AccountSigningSecretController } from './webhooks/signing-secret.controller.js';
import { WebhookEndpointsController } from './webhooks/webhook-endpoints.controller.js';
import { InvitationAcceptanceController } from './members/invitation-acceptance.controller.js';
import { MembersAndInvitationsController } from './members/members-and-invitations.controller.js';
import { PasswordResetLinkMailer } from './sign-in/password-reset-link-mailer.js';
import { PasskeysController } from './profile/passkeys.controller.js';
import { PasskeyAndOidcSignInController } from './sign-in/passkey-and-oidc-sign-in.controller.js';
import { ProfileAndSessionController } from './profile/profile-and-session.controller.js';
import { SessionReauthenticator } from './sign-in/session-reauthenticator.js';
import { SecondFactorController } from './profile/second-factor.controller.js';
import { SessionsController } from './profile/sessions.controller.js';
import { OidcStateCookies, SessionCookie } from './sign-in/session-cookie.js';
import { SignInResponder } from './sign-in/sign-in-responder.js';
import { SignInController } from './sign-in/sign-in.controller.js';

@Module({
  imports: [...CONSOLE_JOB_MODULES],
  controllers: [
    SignInController,
    PasskeyAndOidcSignInController,
    PasskeysController,
    InvitationAcceptanceController,
    ProfileAndSessionController,
    SecondFactorController,
    SessionsController,
    MembersAndInvitationsController,
    AuditController,
    ConsoleApiKeysController,
    CommandLineSignInController,
    RateLimitIncreaseRequestsController,
    AccountSigningSecretController,
    WebhookEndpointsController,
    DeliveriesController,
    UsageBalanceAndLedgerController,
    BillingSettingsController,
    PaymentsAndTopUpsController,
    ...CONSOLE_JOB_CONTROLLERS,
    AccountSettingsController,
    VocabulariesController,
  ],
  providers: [
    ...CONSOLE_JOB_PROVIDERS,
    SignInResponder,
    SessionReauthenticator,
    PasswordResetLinkMailer,
    {
      provide: OidcStateCookies,
      useFactory: ({ publicUrl }: ApiOptions) => new OidcStateCookies(publicUrl),
      inject: [API_OPTIONS_TOKEN],
    },
    {
      provide: SessionCookie,
      useFactory: ({ publicUrl }: ApiOptions) => new SessionCookie(publicUrl),
      inject: [API_OPTIONS_TOKEN],
    },
  ],
})
export class ConsoleModule {}
