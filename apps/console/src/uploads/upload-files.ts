import { matchesFingerprint } from './digest.ts';
import { hasUnsentAudio, type UploadRecord, type UploadState } from './upload-record.ts';
import { findFileCopy, saveFileCopyIfRoom } from './upload-storage.ts';

/** The upload goes on by itself, also when most errors have stopped it. */
const STATES_WITHOUT_USER: readonly UploadState[] = ['waiting', 'sending', 'stopped'];

/** Files of uploads by their ids: those of this tab, and the copies that the browser stores. */
export class UploadFiles {
  private readonly inTab = new Map<string, File>();
  private readonly copied = new Set<string>();

  add(id: string, file: File): void {
    this.inTab.set(id, file);
  }

  /** @returns false, without adding it, for another file than the one that was chosen first */
  async addIfSame({ id, fileSize: size, plan, parts }: UploadRecord, file: File): Promise<boolean> {
    const digests = parts.map(({ digest }) => digest);
    if (!(await matchesFingerprint(file, { size, partSize: plan?.partSize ?? size, digests }))) return false;
    this.add(id, file);
    return true;
  }

  async find(id: string): Promise<File | undefined> {
    return this.inTab.get(id) ?? (await findFileCopy(id));
  }

  /** A file that cannot be read any more. Its copy, if there is one, stays. */
  forget(id: string): void {
    this.inTab.delete(id);
  }

  async copyIfRoom(id: string): Promise<void> {
    const file = this.inTab.get(id);
    if (file && (await saveFileCopyIfRoom(id, file))) this.copied.add(id);
  }

  /** Whether the end of the tab loses a recording, or interrupts an upload that needs its file again then. */
  isLostWithTab(upload: UploadRecord): boolean {
    const { id, state, isRecording } = upload;
    if (!this.inTab.has(id) || this.copied.has(id) || !hasUnsentAudio(upload)) return false;
    return isRecording === true || STATES_WITHOUT_USER.includes(state);
  }
}
