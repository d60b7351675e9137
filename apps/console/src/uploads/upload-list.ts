import type { UploadWithProgress } from './upload-with-progress.ts';

/** Uploads as pages show them, newest first. */
export class UploadList {
  private views: readonly UploadWithProgress[] = [];
  private readonly listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly getViews = (): readonly UploadWithProgress[] => this.views;

  find(id: string): UploadWithProgress | undefined {
    return this.views.find((view) => view.id === id);
  }

  set(views: readonly UploadWithProgress[]): void {
    this.views = views;
    for (const listener of this.listeners) listener();
  }

  addFirst(...added: UploadWithProgress[]): void {
    this.set([...added, ...this.views]);
  }

  change(id: string, changes: Partial<UploadWithProgress>): void {
    this.set(this.views.map((view) => (view.id === id ? { ...view, ...changes } : view)));
  }

  remove(id: string): void {
    this.set(this.views.filter((view) => view.id !== id));
  }
}
