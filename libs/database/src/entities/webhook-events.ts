/** What a webhook may report about a job. */
export const JOB_END_EVENTS = ['completed', 'failed'] as const;
export type JobEndEventType = (typeof JOB_END_EVENTS)[number];

/** `test` is sent to an endpoint on request and is about no job. */
export const WEBHOOK_EVENTS = [...JOB_END_EVENTS, 'test'] as const;
export type WebhookEventType = (typeof WEBHOOK_EVENTS)[number];
