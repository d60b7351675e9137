import { getJob, type JobForApiRoutes } from '@app/jobs';
import { addLogFields, getCurrentRequestSpan, type TracedJob } from '@app/runtime';
import type { DataSource } from 'typeorm';

/** For a request that creates the job: its log lines and its span name it. */
export function setJobIdOfRequest(jobId: string): void {
  addLogFields({ job_id: jobId });
  getCurrentRequestSpan()?.setJobId(jobId);
}

/** For a request that uploads the audio of the job or ends it: it belongs to the trace of the job. */
export function joinTraceOfJob(job: TracedJob): void {
  addLogFields({ job_id: job.id });
  getCurrentRequestSpan()?.joinJob(job);
}

/** For other requests about the job: they have traces of their own, which link to that of the job. */
export function linkToTraceOfJob(job: TracedJob): void {
  addLogFields({ job_id: job.id });
  getCurrentRequestSpan()?.linkJob(job);
}

/** As `getJob`, for a request that uploads the audio of the job or ends it. Log lines name what was requested in any case. */
export async function getJobAndJoinTrace(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
): Promise<JobForApiRoutes> {
  addLogFields({ job_id: jobId });
  const job = await getJob(dataSource, accountId, jobId);
  joinTraceOfJob(job);
  return job;
}

/** As `getJob`, for other requests about the job. */
export async function getJobAndLinkTrace(
  dataSource: DataSource,
  accountId: string,
  jobId: string,
): Promise<JobForApiRoutes> {
  const job = await getJob(dataSource, accountId, jobId);
  linkToTraceOfJob(job);
  return job;
}
