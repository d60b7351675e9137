/** Generated from docs/console-openapi.json by `npm run docs:generate`. */

export interface components {
  schemas: {
    SignInResponse: {
      /** @enum {string} */
      state: 'signed_in' | 'second_factor';
      /** @description With `second_factor`, for the request with its code. */
      challenge?: string;
    };
    SignInMethodsResponse: {
      password: boolean;
      passkey: boolean;
      oidc: boolean;
      /** @description Whether a link for a new password can be mailed. */
      forgot_password: boolean;
    };
    OidcStartResponse: {
      /** @description The URL at the provider that the page opens. */
      url: string;
    };
    PasskeyResponse: {
      id: string;
      name: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      last_used_at: string | null;
    };
    PasskeyListResponse: {
      passkeys: components['schemas']['PasskeyResponse'][];
    };
    NewPasskeyResponse: {
      id: string;
    };
    InvitationPreviewResponse: {
      /** @description Name of the account. */
      account: string;
      email: string;
      /** @enum {string} */
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    SessionUser: {
      /** Format: uuid */
      id: string;
      email: string;
      name: string;
      /** @description Without one, changes of the profile need a recent sign-in. */
      has_password: boolean;
      second_factor: boolean;
      /** @description Recovery codes that are left. */
      recovery_codes: number;
      passkeys: number;
    };
    AccountOfSession: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      role: 'owner' | 'admin' | 'member' | 'viewer';
      /** @description None if the service or the account requires two factors and the session has one. */
      permissions: (
        | 'jobs.read'
        | 'usage.read'
        | 'webhooks.read'
        | 'members.read'
        | 'keys.read'
        | 'vocabularies.read'
        | 'vocabularies.write'
        | 'jobs.write'
        | 'keys.create'
        | 'keys.revoke_own'
        | 'signing_secret.reveal'
        | 'webhooks.write'
        | 'keys.revoke_any'
        | 'signing_secret.rotate'
        | 'limits.request'
        | 'billing.write'
        | 'retention.write'
        | 'two_factors.write'
        | 'members.write'
        | 'audit.read'
        | 'owners.write'
        | 'account.write'
      )[];
      /**
       * @description Who requires two factors of the members; null if one is enough.
       * @enum {string|null}
       */
      two_factors_required_by: 'service' | 'account' | null;
    };
    AccountOfUserResponse: {
      /** Format: uuid */
      id: string;
      name: string;
      /** @enum {string} */
      role: 'owner' | 'admin' | 'member' | 'viewer';
    };
    SessionResponse: {
      user: components['schemas']['SessionUser'];
      /** @description Whether two factors have verified the user, at the sign-in or later. */
      two_factors: boolean;
      /** @description Null for a user who is a member of no account. */
      account: components['schemas']['AccountOfSession'] | null;
      accounts: components['schemas']['AccountOfUserResponse'][];
    };
    AuditActorResponse: {
      /** @enum {string} */
      kind: 'user' | 'key' | 'operator' | 'system';
      id: string | null;
      /** @description Mail address, or the name of the key. */
      name: string | null;
    };
    AuditEventResponse: {
      id: number;
      /** Format: date-time */
      at: string;
      actor: components['schemas']['AuditActorResponse'];
      /** @description Such as `key.created`. */
      action: string;
      /** @description Id of what was changed. */
      target: string | null;
      address: string | null;
      request_id: string | null;
      details: {
        [key: string]: unknown;
      };
    };
    AuditPageResponse: {
      /** @description Newest first. */
      events: components['schemas']['AuditEventResponse'][];
      /** @description `before` of the next page; null on the last one. */
      next_before: number | null;
    };
    SecondFactorSecretResponse: {
      secret: string;
      /** @description For the QR code. */
      uri: string;
    };
    RecoveryCodesResponse: {
      /** @description Shown once. */
      recovery_codes: string[];
    };
    BrowserSession: {
      /** Format: uuid */
      id: string;
      /** @description Whether it is the session of this request. */
      current: boolean;
      address: string | null;
      user_agent: string | null;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      last_seen_at: string;
    };
    SessionListResponse: {
      /** @description Last used first. */
      sessions: components['schemas']['BrowserSession'][];
    };
    MemberResponse: {
      /** Format: uuid */
      user_id: string;
      email: string;
      name: string;
      /** @enum {string} */
      role: 'owner' | 'admin' | 'member' | 'viewer';
      /** @description The operator has disabled the user. */
      disabled: boolean;
      /** Format: date-time */
      joined_at: string;
      /** Format: date-time */
      last_seen_at: string | null;
    };
    MemberListResponse: {
      members: components['schemas']['MemberResponse'][];
    };
    InvitationResponse: {
      /** Format: uuid */
      id: string;
      email: string;
      /** @enum {string} */
      role: 'owner' | 'admin' | 'member' | 'viewer';
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      expires_at: string;
    };
    InvitationListResponse: {
      /** @description Open ones. */
      invitations: components['schemas']['InvitationResponse'][];
    };
    NewInvitationResponse: {
      /** Format: uuid */
      id: string;
      /** @description Shown once, to pass on; null if it was or may have been mailed. */
      link: string | null;
      /** @enum {string} */
      mail: 'sent' | 'failed' | 'unknown' | 'not_configured';
    };
    UserReference: {
      /** Format: uuid */
      id: string;
      /** @description `Former member` for who is no member of the account any more. */
      name: string;
      /** @description Empty for a former member. */
      email: string;
    };
    ApiKeyResponse: {
      /** @description Part of the text of the key: `zk_<id>_…`. */
      id: string;
      name: string;
      /** @description Null for a key that an operator made. */
      created_by: components['schemas']['UserReference'] | null;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description To the minute.
       */
      last_used_at: string | null;
      /** Format: date-time */
      expires_at: string | null;
      /** Format: date-time */
      revoked_at: string | null;
      /** @description Requests per minute that differ from the defaults. */
      limits: {
        [key: string]: number;
      };
      /** @description Jobs in process that it created. */
      open_jobs: number;
    };
    ApiKeyListResponse: {
      /** @description Newest first, with revoked ones. */
      keys: components['schemas']['ApiKeyResponse'][];
      /** @description Default requests per minute. */
      default_limits: {
        [key: string]: number;
      };
    };
    CreatedApiKeyResponse: {
      id: string;
      /** @description The text of the key. It is shown once. */
      api_key: string;
    };
    PendingCommandLineSignInResponse: {
      /** @description As the command line named it. */
      machine: string;
      /** @description Where the request came from. */
      address: string | null;
      /** Format: date-time */
      expires_at: string;
    };
    RateLimitIncreaseRequestResponse: {
      /** Format: uuid */
      id: string;
      key_id: string;
      /** @enum {string} */
      limit:
        | 'account'
        | 'upload'
        | 'upload.progress'
        | 'upload.complete'
        | 'multipart.create'
        | 'multipart.complete'
        | 'multipart.abort'
        | 'transcribe'
        | 'jobs.list'
        | 'jobs.get'
        | 'jobs.stream'
        | 'jobs.transcript'
        | 'jobs.speakers'
        | 'jobs.check-failed'
        | 'jobs.cancel'
        | 'jobs.delete';
      /** @description As granted, once it is granted. */
      requests_per_minute: number;
      reason: string;
      /** @enum {string} */
      state: 'pending' | 'granted' | 'declined';
      /** @description Of the operator. */
      answer: string | null;
      requested_by: components['schemas']['UserReference'] | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      decided_at: string | null;
    };
    RateLimitIncreaseRequestListResponse: {
      /** @description Newest first. */
      requests: components['schemas']['RateLimitIncreaseRequestResponse'][];
    };
    SigningSecretResponse: {
      secret: string;
    };
    RotatedSigningSecretResponse: {
      secret: string;
      /**
       * Format: date-time
       * @description End of the overlap.
       */
      previous_until: string | null;
    };
    WebhookEndpointResponse: {
      /** Format: uuid */
      id: string;
      /** @description Without the values of its query for roles without `webhooks.write`. */
      url: string;
      description: string;
      events: ('completed' | 'failed')[];
      /** @description A disabled endpoint gets test events only. */
      enabled: boolean;
      /** @description Null for an endpoint that an operator made. */
      created_by: components['schemas']['UserReference'] | null;
      /** Format: date-time */
      created_at: string;
    };
    WebhookEndpointListResponse: {
      /** @description Oldest first. */
      endpoints: components['schemas']['WebhookEndpointResponse'][];
      /**
       * Format: date-time
       * @description Until then, webhooks are also signed with the previous secret; null without one.
       */
      previous_secret_until: string | null;
    };
    WebhookEndpointSettings: {
      /** Format: uri */
      url: string;
      description: string;
      events: ('completed' | 'failed')[];
      enabled: boolean;
    };
    WebhookEndpointChanges: {
      /** Format: uri */
      url?: string;
      description?: string;
      events?: ('completed' | 'failed')[];
      enabled?: boolean;
    };
    TestEventDeliveryResponse: {
      /** Format: uuid */
      delivery_id: string;
    };
    ListedDeliveryResponse: {
      /**
       * Format: uuid
       * @description As in `X-SVC-Delivery`.
       */
      id: string;
      /**
       * Format: uuid
       * @description Null for a test event.
       */
      job_id: string | null;
      /**
       * Format: uuid
       * @description Null for a `callback_url`.
       */
      endpoint_id: string | null;
      /** @description Without the values of its query for roles without `webhooks.write`. */
      url: string;
      /** @enum {string} */
      event: 'completed' | 'failed' | 'test';
      /**
       * @description `cancelled`: its endpoint was disabled or deleted.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed' | 'cancelled';
      /** @description Whether it can be replayed. */
      replayable: boolean;
      attempts: number;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description Null once it has ended.
       */
      next_attempt_at: string | null;
      /** Format: date-time */
      finished_at: string | null;
      /** @description Of the last attempt. */
      status_code: number | null;
      /** @description Why the last attempt got no response. */
      error: string | null;
    };
    DeliveryListResponse: {
      /** @description Newest first. */
      deliveries: components['schemas']['ListedDeliveryResponse'][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    SentWebhookRequest: {
      headers: {
        [key: string]: string;
      };
      /** @description As sent. */
      body: string;
    };
    WebhookAttemptAnswerExcerpt: {
      /** @description The first 2,048 bytes, as text. */
      body: string;
      truncated: boolean;
    };
    WebhookAttemptDetails: {
      number: number;
      /**
       * Format: date-time
       * @description When it ended.
       */
      at: string;
      duration_ms: number;
      status_code: number | null;
      /** @description Why there was no response. */
      error: string | null;
      /** @description Null once it has expired, for roles without `webhooks.write`, and if it cannot be read. */
      request: components['schemas']['SentWebhookRequest'] | null;
      /** @description Whether request and response cannot be decrypted: their key is missing. */
      unreadable: boolean;
      answer: components['schemas']['WebhookAttemptAnswerExcerpt'] | null;
    };
    WebhookDeliveryDetailResponse: {
      /**
       * Format: uuid
       * @description As in `X-SVC-Delivery`.
       */
      id: string;
      /**
       * Format: uuid
       * @description Null for a test event.
       */
      job_id: string | null;
      /**
       * Format: uuid
       * @description Null for a `callback_url`.
       */
      endpoint_id: string | null;
      /** @description Without the values of its query for roles without `webhooks.write`. */
      url: string;
      /** @enum {string} */
      event: 'completed' | 'failed' | 'test';
      /**
       * @description `cancelled`: its endpoint was disabled or deleted.
       * @enum {string}
       */
      status: 'pending' | 'delivered' | 'failed' | 'cancelled';
      /** @description Whether it can be replayed. */
      replayable: boolean;
      attempts: number;
      /** Format: date-time */
      created_at: string;
      /**
       * Format: date-time
       * @description Null once it has ended.
       */
      next_attempt_at: string | null;
      /** Format: date-time */
      finished_at: string | null;
      /** @description Of the last attempt. */
      status_code: number | null;
      /** @description Why the last attempt got no response. */
      error: string | null;
      /** @description Newest first, at most 50. */
      attempt_list: components['schemas']['WebhookAttemptDetails'][];
    };
    ReplayFailedDeliveriesResponse: {
      /** @description At most 1,000, the oldest ones. */
      replayed: number;
      /** @description Whether there may be more. */
      has_more: boolean;
    };
    UsageApiKeyReference: {
      id: string;
      name: string;
    };
    UsageRow: {
      /** Format: date */
      day: string;
      /** @description Null for jobs that were created without a key. */
      key: components['schemas']['UsageApiKeyReference'] | null;
      /** @enum {string} */
      kind: 'upload' | 'multipart' | 'url' | 'stream';
      created: number;
      completed: number;
      failed: number;
      /** @description Of the completed jobs. */
      audio_seconds: number;
      /** @description Charged so far. */
      credits: number;
    };
    UsageResponse: {
      /**
       * Format: date
       * @description UTC.
       */
      from: string;
      days: number;
      /** @description By day of creation, oldest first; days without jobs are absent. */
      rows: components['schemas']['UsageRow'][];
    };
    BalanceResponse: {
      /** @description Available credits. */
      balance: number;
      /** @description Credits of open jobs, not part of the balance. */
      held: number;
      /** @description Credits of refunded or disputed payments that were spent already. Until they are paid, no jobs are created. */
      owed: number;
      /** @description A payment is disputed. Until the dispute ends, no jobs are created. */
      disputed: boolean;
      /** @description The operator has suspended the account. */
      suspended: boolean;
      /** @description A balance below it is reported. */
      alert_below: number | null;
      /** @description Recharges that the owner of the card has to confirm; 0 without payments by card. */
      payments_to_confirm: number;
      /** @description Auto-recharge is paused: a payment was declined or has to be confirmed, a dispute was lost, or the service was restored. */
      recharge_paused: boolean;
      /** @description Auto-recharge charges the saved card, within its monthly limit, when a job finds too few credits; false while it is paused. */
      recharges: boolean;
      /** @description Price of a second of audio in credits; 0: jobs cost nothing. */
      credits_per_second: number;
    };
    LedgerEntry: {
      id: number;
      kind: string;
      amount: number;
      /** Format: uuid */
      job_id: string | null;
      note: string | null;
      /** Format: date-time */
      created_at: string;
    };
    LedgerResponse: {
      /** @description Newest first. */
      entries: components['schemas']['LedgerEntry'][];
      next_before: number | null;
    };
    AutoRechargeResponse: {
      below: number;
      credits: number;
      /** @description In the smallest unit of the currency. */
      monthly_limit: number | null;
      /** @description Currency of the limit, lower case; null: that of payments. In another one, nothing is recharged. */
      limit_currency: string | null;
      /** @enum {string|null} */
      paused_because:
        'authentication_required' | 'declined' | 'dispute_lost' | 'restored' | 'currency_changed' | null;
      /** Format: date-time */
      paused_at: string | null;
    };
    CreditPackageResponse: {
      credits: number;
      /** @description In the smallest unit of the currency. */
      amount: number;
    };
    SavedCardResponse: {
      brand: string | null;
      last4: string | null;
      /** @description `YYYY-MM` */
      expires: string | null;
    };
    CardPaymentsOverviewResponse: {
      /** @description Lower case, such as `usd`. */
      currency: string;
      /** @description Cheapest first. */
      packages: components['schemas']['CreditPackageResponse'][];
      saved_card: components['schemas']['SavedCardResponse'] | null;
      /** @description By auto-recharge, in this calendar month (UTC). In the smallest unit of the currency. */
      recharged_this_month: number;
    };
    BillingResponse: {
      /** @description Available credits. */
      balance: number;
      /** @description Credits of open jobs, not part of the balance. */
      held: number;
      /** @description Credits of refunded or disputed payments that were spent already. Until they are paid, no jobs are created. */
      owed: number;
      /** @description A payment is disputed. Until the dispute ends, no jobs are created. */
      disputed: boolean;
      /** @description The operator has suspended the account. */
      suspended: boolean;
      /** @description A balance below it is reported. */
      alert_below: number | null;
      /** @description Recharges that the owner of the card has to confirm; 0 without payments by card. */
      payments_to_confirm: number;
      /** @description Auto-recharge is paused: a payment was declined or has to be confirmed, a dispute was lost, or the service was restored. */
      recharge_paused: boolean;
      /** @description Auto-recharge charges the saved card, within its monthly limit, when a job finds too few credits; false while it is paused. */
      recharges: boolean;
      /** @description Price of a second of audio in credits; 0: jobs cost nothing. */
      credits_per_second: number;
      /** @description Whether alerts are sent by mail, too. */
      sends_mail: boolean;
      auto_recharge: components['schemas']['AutoRechargeResponse'] | null;
      /** @description Null: the operator collects payments. */
      card_payments: components['schemas']['CardPaymentsOverviewResponse'] | null;
    };
    PaymentDisputeResponse: {
      /** @description As the payment provider names it, such as `needs_response`, `won` or `lost`; `warning_…` is an inquiry, which suspends nothing. */
      status: string;
      /** @description In the smallest unit of the currency. */
      amount: number;
      /** @description Lower case, such as `usd`. */
      currency: string;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      closed_at: string | null;
    };
    PaymentResponse: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      kind: 'top_up' | 'recharge';
      /** @enum {string} */
      state: 'checkout' | 'requested' | 'action_required' | 'settled' | 'declined' | 'expired';
      credits: number;
      /** @description In the smallest unit of the currency; null if the operator collects it. */
      amount: number | null;
      /** @description Lower case, such as `usd`. */
      currency: string | null;
      /** @description In the smallest unit of the currency. */
      refunded_amount: number;
      /** @description Credits that refunds and lost disputes took back. */
      reversed_credits: number;
      /** @description Why it was declined, as the payment provider names it. */
      failure: string | null;
      receipt_url: string | null;
      /** @description Where the owner of the card completes an open payment; null without payments by card. */
      action_url: string | null;
      /** Format: date-time */
      created_at: string;
      /** Format: date-time */
      ended_at: string | null;
      /** @description The open dispute of the payment, else the newest. */
      dispute: components['schemas']['PaymentDisputeResponse'] | null;
    };
    PaymentListResponse: {
      /** @description Newest first. */
      payments: components['schemas']['PaymentResponse'][];
      /** Format: uuid */
      next_before: string | null;
    };
    TopUpCheckoutResponse: {
      /** Format: uuid */
      payment_id: string;
      /** @description The page of Stripe on which the customer pays. */
      url: string;
    };
    ApiKeyReference: {
      id: string;
      name: string;
    };
    ConsoleJob: {
      /** Format: uuid */
      job_id: string;
      /**
       * @description `processing` until the job has ended; the other two never change.
       * @example completed
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description The entry `file_name` of the metadata. */
      file_name: string | null;
      /** @enum {string} */
      source: 'upload' | 'multipart' | 'url' | 'stream';
      /**
       * Format: date-time
       * @description UTC, with microseconds; unique within an account.
       * @example 2026-11-20T09:30:00.123456Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was `completed`; `null` in every other state.
       * @example 2026-11-20T09:30:07.001250Z
       */
      completed_at: string | null;
      /**
       * @description Seconds of audio; `null` until it has been decoded.
       * @example 61.44
       */
      duration_seconds: number | null;
      /**
       * @description Format of the stored transcript.
       * @example json
       * @enum {string}
       */
      output_type: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
      /** @description Null for a job without a key. */
      key: components['schemas']['ApiKeyReference'] | null;
      /** @description Null for a job with a key. */
      created_by: components['schemas']['UserReference'] | null;
      /**
       * @description Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.
       * @example null
       */
      failed_stage: string | null;
      /**
       * @description Why it failed, once `failed`, in words for people.
       * @example null
       */
      reason: string | null;
      steps_done: number;
      /** @description Null until the recording is split. */
      steps_total: number | null;
      transcript_available: boolean;
    };
    ConsoleJobListResponse: {
      /** @description Newest first. */
      jobs: components['schemas']['ConsoleJob'][];
      /** @description `cursor` of the next page; null on the last one. */
      next_cursor: string | null;
    };
    ConsoleJobEventData: {
      step?: string;
      /** @description Steps that are done. */
      completed?: number;
      /** @description Steps of the job. */
      total?: number;
      /** @description Of a failure. */
      reason?: string;
    };
    ConsoleJobEvent: {
      seq: number;
      /** @enum {string} */
      event: 'progress' | 'completed' | 'failed';
      /** Format: date-time */
      at: string;
      /** @description As in the event stream. */
      data: components['schemas']['ConsoleJobEventData'];
    };
    ConsoleJobDetails: {
      /** Format: uuid */
      job_id: string;
      /**
       * @description `processing` until the job has ended; the other two never change.
       * @example completed
       * @enum {string}
       */
      status: 'processing' | 'completed' | 'failed';
      /** @description The entry `file_name` of the metadata. */
      file_name: string | null;
      /** @enum {string} */
      source: 'upload' | 'multipart' | 'url' | 'stream';
      /**
       * Format: date-time
       * @description UTC, with microseconds; unique within an account.
       * @example 2026-11-20T09:30:00.123456Z
       */
      created_at: string;
      /**
       * Format: date-time
       * @description When it was `completed`; `null` in every other state.
       * @example 2026-11-20T09:30:07.001250Z
       */
      completed_at: string | null;
      /**
       * @description Seconds of audio; `null` until it has been decoded.
       * @example 61.44
       */
      duration_seconds: number | null;
      /**
       * @description Format of the stored transcript.
       * @example json
       * @enum {string}
       */
      output_type: 'json' | 'txt' | 'srt' | 'vtt' | 'docx' | 'pdf';
      /** @description Null for a job without a key. */
      key: components['schemas']['ApiKeyReference'] | null;
      /** @description Null for a job with a key. */
      created_by: components['schemas']['UserReference'] | null;
      /**
       * @description Where it failed, once `failed`: `upload`, `preprocess`, `chunk:N`, `aggregation`, `billing`, `cancelled`.
       * @example null
       */
      failed_stage: string | null;
      /**
       * @description Why it failed, once `failed`, in words for people.
       * @example null
       */
      reason: string | null;
      steps_done: number;
      /** @description Null until the recording is split. */
      steps_total: number | null;
      transcript_available: boolean;
      /** @description With the defaults. */
      options: {
        [key: string]: unknown;
      };
      /**
       * @description As given at creation; empty without any.
       * @example {
       *       "file": "interview-17.mp3",
       *       "customer": "4711"
       *     }
       */
      metadata: {
        [key: string]: string;
      };
      /** @description Of the request that created the job. */
      request_id: string | null;
      /**
       * Format: date-time
       * @description When its audio was complete.
       */
      queued_at: string | null;
      /**
       * Format: date-time
       * @description When it completed or failed.
       */
      finished_at: string | null;
      /** Format: date-time */
      audio_deleted_at: string | null;
      /**
       * Format: date-time
       * @description Null without a transcript or an end of its retention.
       */
      transcript_expires_at: string | null;
      /** @description Charged; null until the job has ended. */
      credits: number | null;
      /** @description What to do about a failure. */
      advice: string | null;
      /** @description Without the values of its query for roles without `webhooks.write`. */
      callback_url: string | null;
      events: components['schemas']['ConsoleJobEvent'][];
    };
    StatusResponse: {
      /**
       * @description The result of the action, or the status of the job when there was nothing to do.
       * @enum {string}
       */
      status: 'active' | 'queued' | 'aborted' | 'cancelled' | 'processing' | 'completed' | 'failed';
    };
    PartUrlResponse: {
      /** @example 1 */
      part_number: number;
      /**
       * Format: uri
       * @description Signed URL for the PUT of the part. Keep the `ETag` header of the response.
       * @example https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?part=1&signature=9be0
       */
      url: string;
    };
    MultipartResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * @description The upload, as the object store names it.
       * @example 2~aXk3
       */
      upload_id: string;
      /**
       * Format: uri
       * @description Signed URL of the transcript; 404 until the job has completed.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string;
      /**
       * @description Bytes of every part but the last.
       * @example 16777216
       */
      part_size: number;
      /**
       * @description How many parts there are.
       * @example 90
       */
      num_parts: number;
      parts: components['schemas']['PartUrlResponse'][];
      /**
       * @description Seconds until the upload URLs of the parts expire; `download_url` has a longer lifetime by default.
       * @example 86400
       */
      expires_in: number;
    };
    UploadResponse: {
      /**
       * Format: uuid
       * @example 019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10
       */
      job_id: string;
      /**
       * Format: uri
       * @description Signed URL for the PUT of the audio; `null` with `audio_url`.
       * @example https://storage.example.com/audio/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=4f1c
       */
      upload_url: string | null;
      /**
       * Format: uri
       * @description Signed URL of the transcript; 404 until the job has completed.
       * @example https://api.example.com/transcripts/019a9f5e-7c1a-7cc3-9f0e-5b1d6a2f4c10?signature=77aa
       */
      download_url: string;
      /**
       * @description The exact `Content-Type` of the PUT; the URL is signed for it.
       * @example application/octet-stream
       */
      content_type: string;
      /**
       * @description Seconds until the upload URL expires; `download_url` has a longer lifetime by default.
       * @example 3600
       */
      expires_in: number;
    };
    CorrectionResponse: {
      /** @description Index in the segments of the transcript. */
      segment: number;
      text: string;
      /** Format: date-time */
      updated_at: string;
      /** @description Null for a deleted user. */
      updated_by: components['schemas']['UserReference'] | null;
    };
    CorrectionListResponse: {
      /** @description In the order of the transcript. */
      corrections: components['schemas']['CorrectionResponse'][];
    };
    CorrectSegment: {
      /** @description Null shows the original again. */
      text: string | null;
      /** @description The correction that was seen before; null for none. If the segment has another one, nothing is saved (`correction_changed`). Without this field, any correction is replaced. */
      replaces?: string | null;
    };
    SampleJobResponse: {
      /** Format: uuid */
      job_id: string;
    };
    AccountSettingsResponse: {
      /** Format: uuid */
      id: string;
      name: string;
      /** Format: date-time */
      created_at: string;
      /** @description Whether users reach the account only after a sign-in with two factors, as the account chose. */
      requires_two_factors: boolean;
      /** @description Whether the operator requires two factors of everybody, whatever the accounts chose. */
      service_requires_two_factors: boolean;
      /** @description Days after the end of their job after which transcripts are deleted: the shorter of the two. Null: never. */
      transcript_retention_days: number | null;
      /** @description As the account chose. Null: the operator’s setting. */
      chosen_transcript_retention_days: number | null;
      /** @description By the operator’s settings. Null: never. */
      operator_transcript_retention_days: number | null;
    };
    VocabularySummaryResponse: {
      /** Format: uuid */
      id: string;
      name: string;
      term_count: number;
      /** Format: date-time */
      updated_at: string;
    };
    VocabularyListResponse: {
      /** @description By name. */
      vocabularies: components['schemas']['VocabularySummaryResponse'][];
    };
    VocabularyResponse: {
      /** Format: uuid */
      id: string;
      name: string;
      terms: string[];
      /** Format: date-time */
      updated_at: string;
    };
    VocabularyContent: {
      name: string;
      terms: string[];
    };
    /** @description The `json` output, from which every other format is rendered. */
    TranscriptDocument: {
      /**
       * Format: uuid
       * @description The job.
       */
      job_id: string;
      /**
       * @description The number after the point is raised when fields are added; a transcript that was stored earlier lacks them.
       * @example 1.1
       */
      schema_version: string;
      /**
       * Format: date-time
       * @description ISO 8601, UTC.
       */
      created_at: string;
      /** @description The public name of the model. */
      model: string;
      /** @description The engine, its model and version; null if it does not report them. */
      engine: {
        name: string;
        model: string | null;
        version: string | null;
      };
      /** @description Length of the file in seconds. */
      duration: number;
      /** @description The detected language that is spoken most. */
      language: string | null;
      /** @description All detected languages, the one that is spoken most first. */
      languages: string[];
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description The whole text. */
      text: string;
      /** @description The speakers; empty without `speaker_labels`. */
      speakers: components['schemas']['TranscriptSpeaker'][];
      /** @description In order of their start. They overlap only if people on different channels talk at once. */
      segments: components['schemas']['TranscriptSegment'][];
      /** @description In order; empty without `speaker_labels`. */
      turns: components['schemas']['TranscriptTurn'][];
      /** @description In order; together they hold all segments. */
      paragraphs: components['schemas']['TranscriptParagraph'][];
      /** @description What could not be done, or was missing. */
      warnings: components['schemas']['TranscriptWarning'][];
      /** @description The options of the job, with the defaults filled in. */
      options: Record<string, never>;
      /** @description What the job used. */
      usage: {
        /** @description Seconds of audio that were transcribed; equals `duration`. */
        seconds: number;
        /** @description Credits charged for the job, by started seconds: 64.4 seconds are charged as 65. null if not known. */
        credits: number | null;
      };
    };
    /** @description A sentence, or an utterance between pauses. */
    TranscriptSegment: {
      /** @description Index in `segments`, from 0. */
      id: number;
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Of this segment. */
      language: string | null;
      /** @description Label of the speaker; null without `speaker_labels`. */
      speaker: string | null;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description null without `word_timestamps`. */
      words: components['schemas']['TranscriptWord'][] | null;
    };
    /** @description One word. */
    TranscriptWord: {
      /** @description With the capitals and punctuation of the segment text. */
      word: string;
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description 0 to 1, null when unknown. */
      confidence: number | null;
      /** @description Who says it. */
      speaker: string | null;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
      /** @description Of this word; null if the engine reports none. */
      language: string | null;
      /** @description True if the engine gave no times for this word, and the service estimated them. */
      estimated: boolean;
      /** @description What the word stands for if it was redacted, such as `email` (its text is then `[email]`); null for other words. */
      redacted: string | null;
    };
    /** @description One speaker of the recording. */
    TranscriptSpeaker: {
      /** @description `SPEAKER_1`, `SPEAKER_2`, … by first appearance. */
      id: string;
      /** @description Name of the speaker; null until one is set. */
      name: string | null;
      /** @description Seconds in which this speaker talks. */
      duration: number;
      /** @description Channel of the recording, from 1; null if the channels were not transcribed apart. */
      channel: number | null;
    };
    /** @description What one speaker says until another one speaks: consecutive segments. */
    TranscriptTurn: {
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Label of the speaker; null if unknown. */
      speaker: string | null;
      /** @description `id` of its first segment. */
      first_segment: number;
      /** @description `id` of its last segment. */
      last_segment: number;
    };
    /** @description Consecutive sentences of one speaker and language without a long pause. */
    TranscriptParagraph: {
      /** @description Seconds from the start of the file. */
      start: number;
      /** @description Seconds from the start of the file. */
      end: number;
      /** @description What is said. */
      text: string;
      /** @description Label of the speaker; null if unknown. */
      speaker: string | null;
      /** @description `id` of its first segment. */
      first_segment: number;
      /** @description `id` of its last segment. */
      last_segment: number;
      /** @description Of its segments. */
      language: string | null;
    };
    /** @description Something that could not be done, or that was missing. */
    TranscriptWarning: {
      /** @description Stable machine name, such as `speakers_unavailable` or `audio_truncated`; more may be added. */
      code: string;
      /** @description In words for people. */
      message: string;
      /** @description null when it is about the whole file. */
      segment_id: number | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
