import type { components } from './schemas.ts';

/** A schema of `docs/console-openapi.json`. Times are ISO 8601. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const satisfies readonly Role[];

export type Session = Schema<'SessionResponse'>;
export type Role = Schema<'AccountOfUser'>['role'];
export type Permission = Schema<'AccountOfSession'>['permissions'][number];
export type SignInAnswer = Schema<'SignInResponse'>;
export type SignInMethods = Schema<'SignInMethodsResponse'>;
export type Member = Schema<'MemberResponse'>;
export type UserReference = Schema<'UserReference'>;
export type Invitation = Schema<'InvitationResponse'>;
export type Passkey = Schema<'PasskeyResponse'>;
export type BrowserSession = Schema<'BrowserSession'>;
export type AuditEvent = Schema<'AuditEventResponse'>;

export interface AuditFilter {
  action?: string | undefined;
  /** Id of a user or key. */
  actor?: string | undefined;
  actor_kind?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}
