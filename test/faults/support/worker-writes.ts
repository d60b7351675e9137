/** Selects all rows that a worker may write. */
export const SELECT_ALL_ROWS = `
  SELECT (SELECT json_agg(s ORDER BY job_id, name) FROM job_stage s) AS stages,
    (SELECT json_agg(e ORDER BY job_id, seq) FROM job_event e) AS events,
    (SELECT json_agg(c ORDER BY id) FROM credit_entry c) AS credits,
    (SELECT json_agg(to_jsonb(j) - 'audio_deleted_at' ORDER BY id) FROM job j) AS jobs,
    (SELECT json_agg(o ORDER BY id) FROM outbox o) AS outbox`;

/** Number of queue messages for chunks that a processor has handled, with any result. @param url of its metrics */
export async function countEndedChunkMessages(url: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const counts = text.matchAll(/^zephyr_queue_message_duration_seconds_count\{.*queue="chunk".*\} (\d+)$/gm);
  // A message without a due stage is counted as idle.
  return [...counts].reduce((sum, [line, count]) => (line.includes('"idle"') ? sum : sum + Number(count)), 0);
}
