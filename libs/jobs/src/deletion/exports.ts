export { buildFailedEventOfDeletedJob, deleteJob } from './delete-job.js';
export {
  abortUploadOfDeletedJob,
  CONTENT_OF_DELETED_JOBS,
  deleteObjectsOfDeletedJob,
  listObjectsOfDeletedJob,
  type ObjectDeleter,
} from './delete-objects-of-deleted-job.js';
export {
  claimDueDeletedJobs,
  type ClaimedDeletedJob,
  deleteEndedJobRow,
  recordDeletionsOfDeletedJobs,
} from './deleted-job.repository.js';
