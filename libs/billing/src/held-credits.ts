/** SQL: the holds that are not released yet, under the name `taken`; more conditions may follow. */
export const OPEN_HOLDS_SQL = `credit_entry AS taken
  WHERE kind = 'hold' AND NOT EXISTS (SELECT FROM credit_entry WHERE job_id = taken.job_id AND kind = 'release')`;

/** SQL: credits that these holds set aside, which are no part of the balance. */
export const HELD_CREDITS_SQL = 'COALESCE(-sum(taken.amount), 0)::bigint';
