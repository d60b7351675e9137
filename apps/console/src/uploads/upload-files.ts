import { findFileCopy, saveFileCopyIfRoom } from './upload-storage.ts';

/** Files of uploads by their ids: those of this tab, and the copies that the browser stores. */
export class UploadFiles {
  private readonly inTab = new Map<string, File>();
  private readonly copied = new Set<string>();

  add(id: string, file: File): void {
    this.inTab.set(id, file);
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

  /** Whether the file has to be chosen again when the tab is closed. */
  isOnlyInTab(id: string): boolean {
    return this.inTab.has(id) && !this.copied.has(id);
  }
}
