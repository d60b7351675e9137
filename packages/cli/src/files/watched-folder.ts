import { stat } from 'node:fs/promises';
import { UsageError } from '../errors.js';
import {
  describeRepeatedInput,
  describeUnreadablePath,
  expandInputs,
  type FoundInput,
} from './expand-inputs.js';
import { pathExists } from './path-exists.js';
import {
  describeInputWithClashingOutput,
  type InputWithAssignedOutput,
  assignOutputPaths,
} from './assign-output-paths.js';

const FIRST_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 600_000;

/** Finds the files of a folder that have stayed as they are between two looks and have no transcript, each once until it changes. */
export class WatchedFolder {
  private readonly seen = new Map<string, string>();
  private readonly taken = new Map<string, string>();
  private readonly inProgress = new Set<string>();
  /** Inputs that are taken again, when, and after how many failures. */
  private readonly repeated = new Map<string, { failures: number; dueAt: number }>();
  /** Inputs by output. */
  private readonly outputs = new Map<string, string>();
  private readonly reported = new Set<string>();

  constructor(
    private readonly folder: string,
    private readonly transcripts: { folder: string; format: string },
    private readonly report: (message: string) => void,
  ) {}

  /** Looks at the folder. What is returned counts as in progress until it is released. */
  async findDueInputs(): Promise<InputWithAssignedOutput[]> {
    const found = await this.search();
    const { placed, leftOut } = await assignOutputPaths(found, { ...this.transcripts, taken: this.outputs });
    for (const each of leftOut) this.reportOnce(describeInputWithClashingOutput(each));
    const due: InputWithAssignedOutput[] = [];
    for (const each of placed) {
      if (!(await this.isDue(each.input))) continue;
      this.outputs.set(each.output, each.input);
      if (await pathExists(each.output)) continue;
      this.inProgress.add(each.input);
      due.push(each);
    }
    return due;
  }

  release({ input }: FoundInput): void {
    this.inProgress.delete(input);
    this.repeated.delete(input);
  }

  /** As `release`, but the input is due again later. @returns after how many seconds, which grow with each failure */
  releaseForLater({ input }: FoundInput): number {
    this.inProgress.delete(input);
    const failures = (this.repeated.get(input)?.failures ?? 0) + 1;
    const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
    this.repeated.set(input, { failures, dueAt: Date.now() + pauseMs });
    return pauseMs / 1000;
  }

  private async search(): Promise<FoundInput[]> {
    const { found, unreadable, repeated } = await expandInputs([this.folder]).catch((error: unknown) => {
      if (error instanceof UsageError) return { found: [], unreadable: [], repeated: [] };
      throw error;
    });
    for (const path of unreadable) this.reportOnce(describeUnreadablePath(path));
    for (const each of repeated) this.reportOnce(describeRepeatedInput(each));
    return found;
  }

  private async isDue(input: string): Promise<boolean> {
    const stats = await stat(input).catch(() => undefined);
    // Node has a replacement character for what it cannot decode, and finds no file by it.
    if (stats === undefined && input.includes('\uFFFD'))
      this.reportOnce(`${input}: left out, because its name is not UTF-8. Rename it.`);
    if (stats?.size === 0) this.reportOnce(`${input}: empty, waiting for its content`);
    if (stats === undefined || stats.size === 0) return false;
    const version = `${stats.size} ${stats.mtimeMs}`;
    const isStable = this.seen.get(input) === version;
    this.seen.set(input, version);
    if (!isStable || this.inProgress.has(input)) return false;
    const isRepeated = Date.now() >= (this.repeated.get(input)?.dueAt ?? Infinity);
    if (this.taken.get(input) === version && !isRepeated) return false;
    this.taken.set(input, version);
    return true;
  }

  private reportOnce(message: string): void {
    if (this.reported.has(message)) return;
    this.reported.add(message);
    this.report(message);
  }
}
