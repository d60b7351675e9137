import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = [
  `CREATE TABLE "audit_event" (
    "id" bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
    "account_id" uuid,
    "at" timestamptz(6) NOT NULL DEFAULT now(),
    "actor_kind" text NOT NULL,
    "actor_id" text,
    "actor_name" text,
    "action" text NOT NULL,
    "target" text,
    "address" text,
    "request_id" text,
    "details" jsonb NOT NULL DEFAULT '{}',
    CONSTRAINT "audit_event_actor" CHECK ("actor_kind" IN ('user', 'key', 'operator', 'system')),
    CONSTRAINT "audit_event_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "audit_event_account" ON "audit_event" ("account_id", "id")`,
  `CREATE TABLE "app_user" (
    "id" uuid NOT NULL,
    "email" text NOT NULL,
    "name" text NOT NULL,
    "password_hash" text,
    "disabled_at" timestamptz(6),
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "app_user_pk" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "app_user_email" ON "app_user" ("email")`,
  `CREATE TABLE "external_identity" (
    "issuer" text NOT NULL,
    "subject" text NOT NULL,
    "user_id" uuid NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "external_identity_pk" PRIMARY KEY ("issuer", "subject")
  )`,
  `CREATE INDEX "external_identity_user" ON "external_identity" ("user_id")`,
  `CREATE TABLE "invitation" (
    "id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "email" text NOT NULL,
    "role" text NOT NULL,
    "token_hash" bytea NOT NULL,
    "invited_by" uuid,
    "expires_at" timestamptz(6) NOT NULL,
    "accepted_at" timestamptz(6),
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "invitation_role" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer')),
    CONSTRAINT "invitation_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "invitation_account" ON "invitation" ("account_id")`,
  `CREATE UNIQUE INDEX "invitation_token" ON "invitation" ("token_hash")`,
  `CREATE TABLE "membership" (
    "user_id" uuid NOT NULL,
    "account_id" uuid NOT NULL,
    "role" text NOT NULL,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    CONSTRAINT "membership_role" CHECK ("role" IN ('owner', 'admin', 'member', 'viewer')),
    CONSTRAINT "membership_pk" PRIMARY KEY ("user_id", "account_id")
  )`,
  `CREATE INDEX "membership_account" ON "membership" ("account_id")`,
  `CREATE TABLE "passkey" (
    "id" text NOT NULL,
    "user_id" uuid NOT NULL,
    "name" text NOT NULL,
    "public_key" bytea NOT NULL,
    "counter" bigint NOT NULL DEFAULT '0',
    "transports" text array NOT NULL DEFAULT '{}',
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "last_used_at" timestamptz(6),
    CONSTRAINT "passkey_pk" PRIMARY KEY ("id")
  )`,
  `CREATE INDEX "passkey_user" ON "passkey" ("user_id")`,
  `CREATE TABLE "recovery_code" (
    "code_hash" bytea NOT NULL,
    "user_id" uuid NOT NULL,
    CONSTRAINT "recovery_code_pk" PRIMARY KEY ("code_hash")
  )`,
  `CREATE INDEX "recovery_code_user" ON "recovery_code" ("user_id")`,
  `CREATE TABLE "sign_in_challenge" (
    "token_hash" bytea NOT NULL,
    "user_id" uuid,
    "kind" text NOT NULL,
    "data" jsonb NOT NULL DEFAULT '{}',
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "sign_in_challenge_pk" PRIMARY KEY ("token_hash")
  )`,
  `CREATE INDEX "sign_in_challenge_expiry" ON "sign_in_challenge" ("expires_at")`,
  `CREATE TABLE "sign_in_link" (
    "token_hash" bytea NOT NULL,
    "user_id" uuid NOT NULL,
    "purpose" text NOT NULL,
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "sign_in_link_purpose" CHECK ("purpose" IN ('sign_in', 'set_password')),
    CONSTRAINT "sign_in_link_pk" PRIMARY KEY ("token_hash")
  )`,
  `CREATE INDEX "sign_in_link_user" ON "sign_in_link" ("user_id")`,
  `CREATE TABLE "totp_secret" (
    "user_id" uuid NOT NULL,
    "key_id" text NOT NULL,
    "sealed" bytea NOT NULL,
    "confirmed_at" timestamptz(6),
    "last_step" bigint NOT NULL DEFAULT '0',
    CONSTRAINT "totp_secret_pk" PRIMARY KEY ("user_id")
  )`,
  `CREATE TABLE "user_session" (
    "id" uuid NOT NULL,
    "token_hash" bytea NOT NULL,
    "user_id" uuid NOT NULL,
    "account_id" uuid,
    "address" text,
    "user_agent" text,
    "created_at" timestamptz(6) NOT NULL DEFAULT now(),
    "last_seen_at" timestamptz(6) NOT NULL DEFAULT now(),
    "expires_at" timestamptz(6) NOT NULL,
    CONSTRAINT "user_session_pk" PRIMARY KEY ("id")
  )`,
  `CREATE UNIQUE INDEX "user_session_token" ON "user_session" ("token_hash")`,
  `CREATE INDEX "user_session_user" ON "user_session" ("user_id")`,
  `CREATE INDEX "user_session_expiry" ON "user_session" ("expires_at")`,
  `ALTER TABLE "external_identity" ADD CONSTRAINT "external_identity_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "invitation" ADD CONSTRAINT "invitation_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "membership" ADD CONSTRAINT "membership_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "membership" ADD CONSTRAINT "membership_account_fk" FOREIGN KEY ("account_id") REFERENCES "account"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "passkey" ADD CONSTRAINT "passkey_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "recovery_code" ADD CONSTRAINT "recovery_code_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sign_in_challenge" ADD CONSTRAINT "sign_in_challenge_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "totp_secret" ADD CONSTRAINT "totp_secret_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
  `ALTER TABLE "user_session" ADD CONSTRAINT "user_session_user_fk" FOREIGN KEY ("user_id") REFERENCES "app_user"("id") ON DELETE CASCADE ON UPDATE NO ACTION`,
];

/** Those that refer to another table first. */
const TABLES = [
  'membership',
  'invitation',
  'user_session',
  'sign_in_link',
  'sign_in_challenge',
  'totp_secret',
  'recovery_code',
  'passkey',
  'external_identity',
  'audit_event',
  'app_user',
];

/** Users of the console, their roles and sessions, and the audit log. */
export class People1763890000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP TABLE "${table}"`);
  }
}
