import { Option, SubCommand } from 'nest-commander';
import { JsonCommand } from '../json-command.js';
import { type JsonOption, print } from '../output.js';
import { Workplace } from '../workplace.js';
import { type ReconcileReport, reconcileStore } from './reconcile-store.js';
import { withStore } from './with-store.js';

/** Ids that are shown of each list; `--json` has them all. */
const SHOWN = 10;

@SubCommand({
  name: 'reconcile',
  description: 'compare a restored database with its object store; with --yes, allow processors to start',
})
export class ReconcileStoreCommand extends JsonCommand {
  constructor(private readonly workplace: Workplace) {
    super();
  }

  async run(_: string[], options: JsonOption & { yes?: boolean }): Promise<void> {
    const tools = await this.workplace.open();
    const isDry = options.yes !== true;
    const { dataSource, effects } = tools;
    const found = await withStore(tools, (store) => reconcileStore({ dataSource, store, effects }, isDry));
    const answer = {
      dry_run: isDry,
      finished: [...found.finished.keys()],
      completed: found.completed,
      not_paid_for: found.notPaidFor,
      at_work: found.atWork,
      continuing: found.continuing,
      audio_gone: found.audioGone,
      transcript_gone: found.transcriptGone,
      without_row: found.withoutRow,
    };
    print(options, answer, () => text(found, isDry));
  }

  @Option({
    flags: '--yes',
    description: 'complete jobs with a finished transcript, and accept the database as it is',
  })
  parseYes(): boolean {
    return true;
  }
}

function text(found: ReconcileReport, isDry: boolean): string {
  const finished = isDry ? [...found.finished.keys()] : found.completed;
  const lines = [
    line(
      finished,
      isDry
        ? 'open jobs would be completed from their transcripts'
        : 'open jobs were completed from their transcripts',
    ),
    line(
      found.notPaidFor,
      'were not completed, because their accounts lack the credits; they continue from their rows',
    ),
    line(found.atWork, 'open jobs are being processed and stay unchanged'),
    line(found.continuing, 'open jobs continue'),
    line(found.audioGone, 'open jobs will fail, because their audio is missing'),
    line(found.transcriptGone, 'completed jobs have no transcript in the store; their downloads answer 404'),
    line(
      found.withoutRow.jobs,
      `jobs have ${found.withoutRow.objects} objects and no row; these are not touched`,
    ),
  ].filter((each) => each !== null);
  const end = isDry
    ? 'Nothing was changed. `store reconcile --yes` makes these changes and allows processors to start. APIs and processors may keep running meanwhile.'
    : 'Processors may start.';
  return [...lines, end].join('\n');
}

function line(ids: readonly string[], what: string): string | null {
  if (ids.length === 0) return null;
  const more = ids.length > SHOWN ? ` and ${ids.length - SHOWN} more` : '';
  return `${ids.length} ${what}: ${ids.slice(0, SHOWN).join(', ')}${more}`;
}
