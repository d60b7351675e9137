import { SubCommand } from 'nest-commander';
import { withObjectStoreIfSchemaIsCurrent } from '../lazy-admin-services.js';
import { WithOptions, OperatorCommand } from '../operator-command.js';
import { runAndRecordOperatorAction } from '../operator-audit.js';
import { type JsonOption, printResult } from '../output.js';
import { type StoreReconcileReport, completeStoredJobsAndAcceptDatabase } from './reconcile-store.js';

/** `--json` prints all. */
const MAX_IDS_SHOWN = 10;

@SubCommand({
  name: 'reconcile',
  description: 'compare a restored database with its object store; with --yes, allow processors to start',
})
@WithOptions({
  flags: '--yes',
  description: 'complete jobs with a finished transcript, and accept the database as it is',
})
export class ReconcileStoreCommand extends OperatorCommand {
  async run(_: string[], options: JsonOption & { yes?: boolean }): Promise<void> {
    const services = await this.context.open();
    const isDry = options.yes !== true;
    const { dataSource, jobHooks: hooks } = services;
    const found = await withObjectStoreIfSchemaIsCurrent(services, (store) => {
      const reconcile = () => completeStoredJobsAndAcceptDatabase({ dataSource, store, hooks }, isDry);
      if (isDry) return reconcile();
      const entry = { accountId: null, action: 'store.reconciled' };
      return runAndRecordOperatorAction(dataSource, entry, reconcile, ({ completed }) => ({
        completed: completed.length,
      }));
    });
    const answer = {
      dry_run: isDry,
      finished: [...found.finished.keys()],
      completed: found.completed,
      not_paid_for: found.notPaidFor,
      at_work: found.inProgress,
      continuing: found.continuing,
      audio_gone: found.audioMissing,
      transcript_gone: found.transcriptMissing,
      without_row: found.withoutRow,
    };
    printResult(options, answer, () => formatReport(found, isDry));
  }
}

function formatReport(found: StoreReconcileReport, isDry: boolean): string {
  const finished = isDry ? [...found.finished.keys()] : found.completed;
  const lines = [
    formatIds(
      finished,
      isDry
        ? 'open jobs would be completed from their transcripts'
        : 'open jobs were completed from their transcripts',
    ),
    formatIds(
      found.notPaidFor,
      'were not completed, because their accounts lack the credits; they continue from their rows',
    ),
    formatIds(found.inProgress, 'open jobs are being processed and stay unchanged'),
    formatIds(found.continuing, 'open jobs continue'),
    formatIds(found.audioMissing, 'open jobs will fail, because their audio is missing'),
    formatIds(
      found.transcriptMissing,
      'completed jobs have no transcript in the store; their downloads answer 404',
    ),
    formatIds(
      found.withoutRow.jobs,
      `jobs have ${found.withoutRow.objects} objects and no row; these are not touched`,
    ),
  ].filter((each) => each !== null);
  const end = isDry
    ? 'Nothing was changed. `store reconcile --yes` makes these changes and allows processors to start. APIs and processors may keep running meanwhile.'
    : 'Processors may start.';
  return [...lines, end].join('\n');
}

function formatIds(ids: readonly string[], what: string): string | null {
  if (ids.length === 0) return null;
  const more = ids.length > MAX_IDS_SHOWN ? ` and ${ids.length - MAX_IDS_SHOWN} more` : '';
  return `${ids.length} ${what}: ${ids.slice(0, MAX_IDS_SHOWN).join(', ')}${more}`;
}
