export interface JobPage {
  jobs: { job_id: string; created_at: string }[];
  next_before: string | null;
}

/**
 * All pages of the job list, from the newest jobs to the page without a cursor.
 *
 * @param list requests a page by its query @param toQuery writes a cursor into the query
 */
export async function listAllPages(
  list: (query: string) => Promise<JobPage>,
  limit: number,
  toQuery: (cursor: string) => string = encodeURIComponent,
): Promise<JobPage[]> {
  const pages = [await list(`?limit=${limit}`)];
  for (let next = pages[0]?.next_before ?? null; next !== null; next = pages.at(-1)?.next_before ?? null)
    pages.push(await list(`?limit=${limit}&before=${toQuery(next)}`));
  return pages;
}
