/** Answers of `/console/api`, as the controllers of `apps/api/src/console` return them. Times are ISO 8601. */

export const ROLES = ['owner', 'admin', 'member', 'viewer'] as const;

export type Role = (typeof ROLES)[number];

export interface AccountOfUser {
  id: string;
  name: string;
  role: Role;
}

export interface Session {
  user: { id: string; email: string; name: string; second_factor: boolean; recovery_codes: number };
  account: (AccountOfUser & { permissions: string[] }) | null;
  accounts: AccountOfUser[];
}

export type SignInAnswer = { state: 'signed_in' } | { state: 'second_factor'; challenge: string };

export interface Member {
  user_id: string;
  email: string;
  name: string;
  role: Role;
  disabled: boolean;
  joined_at: string;
  last_seen_at: string | null;
}

export interface Invitation {
  id: string;
  email: string;
  role: Role;
  created_at: string;
  expires_at: string;
}

export interface InvitationPreview {
  account: string;
  email: string;
  role: Role;
}

export interface BrowserSession {
  id: string;
  current: boolean;
  address: string | null;
  user_agent: string | null;
  created_at: string;
  last_seen_at: string;
}

export interface AuditEvent {
  id: number | string;
  at: string;
  actor: { kind: string; id: string | null; name: string | null };
  action: string;
  target: string | null;
  address: string | null;
  request_id: string | null;
  details: Record<string, unknown> | null;
}

export interface AuditPage {
  events: AuditEvent[];
  next_before: number | string | null;
}

export interface AuditFilter {
  action?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}
