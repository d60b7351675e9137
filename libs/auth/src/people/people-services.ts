import type { Encryptor } from '@app/database';
import type { DataSource } from 'typeorm';
import type { ConsoleApiKeys } from '../keys/console-api-keys.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { BreachedPasswords } from './passwords/breached-passwords.js';
import { CommandLineSignIns } from './sign-in/command-line-sign-ins.js';
import { Invitations } from './members/invitations.js';
import { LinkSignIn } from './sign-in/link-sign-in.js';
import { Memberships } from './members/memberships.js';
import { OidcProviderClient, type OidcOptions } from './sign-in/oidc-provider-client.js';
import { OidcSignIn } from './sign-in/oidc-sign-in.js';
import { Passkeys, type RelyingParty } from './factors/passkeys.js';
import { TotpAndRecoveryCodes } from './factors/totp-and-recovery-codes.js';
import { type SessionOptions, Sessions } from './sessions/sessions.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { SignInRateLimiter } from './sign-in/sign-in-rate-limiter.js';
import { UserReauthentication } from './sign-in/user-reauthentication.js';
import { Users } from './users/users.js';

export interface PeopleOptions {
  sessions: SessionOptions;
  /** Attempts to sign in from one address in a minute. */
  attemptsPerAddress: number;
  /** Hashes of breached passwords; null: they are not compared. */
  breachedPasswordsFile: string | null;
  encryptor: Encryptor;
  /** Keyed hash of recovery codes and of codes that command lines show; 32 bytes. */
  hashingKey: Buffer;
  /** Null: the console's address permits no passkeys. */
  relyingParty: RelyingParty | null;
  /** Null: nobody signs in through a provider. */
  oidc: OidcOptions | null;
}

export class PeopleServices {
  readonly sessions: Sessions;
  readonly users: Users;
  readonly memberships: Memberships;
  readonly secondFactor: TotpAndRecoveryCodes;
  readonly signIn: SignInService;
  readonly linkSignIn: LinkSignIn;
  readonly confirmation: UserReauthentication;
  readonly invitations: Invitations;
  readonly passkeys: Passkeys;
  readonly oidc: OidcSignIn;
  readonly commandLineSignIns: CommandLineSignIns;

  constructor(dataSource: DataSource, limiter: RateLimiter, keys: ConsoleApiKeys, options: PeopleOptions) {
    this.sessions = new Sessions(dataSource, options.sessions);
    this.users = new Users(dataSource, this.sessions, new BreachedPasswords(options.breachedPasswordsFile));
    this.memberships = new Memberships(dataSource);
    this.secondFactor = new TotpAndRecoveryCodes(dataSource, options.encryptor, options.hashingKey);
    const limits = new SignInRateLimiter(limiter, options.attemptsPerAddress);
    this.confirmation = new UserReauthentication(dataSource, this.sessions, limits);
    this.signIn = new SignInService(dataSource, this.sessions, this.secondFactor, limits);
    this.invitations = new Invitations(dataSource, this.users, this.memberships, this.signIn, limits);
    this.linkSignIn = new LinkSignIn(dataSource, this.users, this.signIn, limits);
    this.passkeys = new Passkeys(dataSource, this.sessions, this.signIn, limits, options.relyingParty);
    this.commandLineSignIns = new CommandLineSignIns(dataSource, keys, limits, options.hashingKey);
    const provider = options.oidc && new OidcProviderClient(options.oidc);
    this.oidc = new OidcSignIn(dataSource, provider, this.signIn, this.users, this.invitations, limits);
  }
}
