import { type DynamicModule, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ConsoleApiKeys } from '../keys/console-api-keys.js';
import { RATE_LIMITER_TOKEN } from '../rate-limits/rate-limits-options.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { CommandLineSignIns } from './sign-in/command-line-sign-ins.js';
import { Invitations } from './members/invitations.js';
import { LinkSignIn } from './sign-in/link-sign-in.js';
import { Memberships } from './members/memberships.js';
import { type PeopleOptions, PeopleServices } from './people-services.js';
import { OidcSignIn } from './sign-in/oidc-sign-in.js';
import { Passkeys } from './factors/passkeys.js';
import { TotpAndRecoveryCodes } from './factors/totp-and-recovery-codes.js';
import { Sessions } from './sessions/sessions.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { UserReauthentication } from './sign-in/user-reauthentication.js';
import { Users } from './users/users.js';

const SERVICES = [
  { provide: Sessions, useFactory: ({ sessions }: PeopleServices) => sessions },
  { provide: Users, useFactory: ({ users }: PeopleServices) => users },
  { provide: Memberships, useFactory: ({ memberships }: PeopleServices) => memberships },
  { provide: TotpAndRecoveryCodes, useFactory: ({ secondFactor }: PeopleServices) => secondFactor },
  { provide: SignInService, useFactory: ({ signIn }: PeopleServices) => signIn },
  { provide: LinkSignIn, useFactory: ({ linkSignIn }: PeopleServices) => linkSignIn },
  { provide: UserReauthentication, useFactory: ({ confirmation }: PeopleServices) => confirmation },
  { provide: Invitations, useFactory: ({ invitations }: PeopleServices) => invitations },
  { provide: Passkeys, useFactory: ({ passkeys }: PeopleServices) => passkeys },
  { provide: CommandLineSignIns, useFactory: ({ commandLineSignIns }: PeopleServices) => commandLineSignIns },
  { provide: OidcSignIn, useFactory: ({ oidc }: PeopleServices) => oidc },
].map((provider) => ({ ...provider, inject: [PeopleServices] }));

/** Needs `RateLimitsModule` and `ApiKeysModule`. */
@Module({})
export class PeopleModule {
  static forRoot(options: PeopleOptions): DynamicModule {
    const useFactory = (dataSource: DataSource, limiter: RateLimiter, keys: ConsoleApiKeys) =>
      new PeopleServices(dataSource, limiter, keys, options);
    return {
      module: PeopleModule,
      global: true,
      providers: [
        { provide: PeopleServices, useFactory, inject: [DataSource, RATE_LIMITER_TOKEN, ConsoleApiKeys] },
        ...SERVICES,
      ],
      exports: SERVICES.map(({ provide }) => provide),
    };
  }
}
