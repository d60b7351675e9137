import type { components } from './schemas.ts';

/** A schema of `docs/console-openapi.json`. Times are ISO 8601. */
export type ConsoleApiSchema<Name extends keyof components['schemas']> = components['schemas'][Name];

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly MemberRole[];

export type Session = ConsoleApiSchema<'SessionResponse'>;
export type MemberRole = ConsoleApiSchema<'AccountOfUserResponse'>['role'];
export type Permission = ConsoleApiSchema<'AccountOfSession'>['permissions'][number];
export type SignInResponseBody = ConsoleApiSchema<'SignInResponse'>;
export type OfferedSignInMethods = ConsoleApiSchema<'SignInMethodsResponse'>;
export type Member = ConsoleApiSchema<'MemberResponse'>;
export type UserReference = ConsoleApiSchema<'UserReference'>;
export type Invitation = ConsoleApiSchema<'InvitationResponse'>;
export type Passkey = ConsoleApiSchema<'PasskeyResponse'>;
export type BrowserSession = ConsoleApiSchema<'BrowserSession'>;
export type AuditEvent = ConsoleApiSchema<'AuditEventResponse'>;

export interface AuditFilter {
  action?: string | undefined;
  /** Id of a user or key. */
  actor?: string | undefined;
  actor_kind?: string | undefined;
  /** Id of what was changed. */
  target?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}
