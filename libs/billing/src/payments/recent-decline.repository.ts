/** A declined card is not retried with every request. */
const DECLINE_PAUSE_SECONDS = 3600;

/** SQL of whether a charge was declined within the last hour, and the settings were not changed since. @param row of `auto_recharge` */
export function buildIsRechargeDeclinedLatelySql(row: string): string {
  return `EXISTS (
    SELECT FROM payment WHERE account_id = ${row}.account_id AND kind = 'recharge' AND state = 'declined'
      AND ended_at > GREATEST(now() - make_interval(secs => ${DECLINE_PAUSE_SECONDS}), ${row}.changed_at))`;
}
