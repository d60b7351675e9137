/** Postgres channel on which it is announced that a delivery is due, when its transaction has committed. */
export const DUE_CHANNEL = 'webhook_due';
