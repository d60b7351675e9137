export { buildFailedEventOfDeletedJob, deleteJob } from './delete-job.js';
export {
  abortMultipartUploadOfDeletedJob,
  CONTENT_OF_DELETED_JOBS,
  deleteObjectsOfDeletedJob,
  buildKeysAndPrefixesOfDeletedJob,
  type ObjectDeleter,
} from './delete-objects-of-deleted-job.js';
export {
  claimDueDeletedJobs,
  type ClaimedDeletedJob,
  deleteEndedJobRow,
  deleteRowsOrScheduleNextDeletions,
} from './deleted-job.repository.js';
