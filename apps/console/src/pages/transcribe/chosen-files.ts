/** The files with those that were added. Files without content are left out, and a file that is chosen twice is there once. */
export function addFiles(files: readonly File[], added: readonly File[]): File[] {
  const filled = [...files, ...added].filter(({ size }) => size > 0);
  return [...new Map(filled.map((file) => [getFileIdentity(file), file])).values()];
}

export function getFileIdentity({ name, size, lastModified }: File): string {
  return `${size} ${lastModified} ${name}`;
}

interface DroppedFiles {
  files: File[];
  folderNames: string[];
}

/** A folder comes as a file of some size, which cannot be read. */
export function splitDroppedFiles(items: Iterable<DataTransferItem>): DroppedFiles {
  const dropped: DroppedFiles = { files: [], folderNames: [] };
  for (const item of items) {
    const file = item.getAsFile();
    if (!file) continue;
    if (item.webkitGetAsEntry()?.isDirectory === true) dropped.folderNames.push(file.name);
    else dropped.files.push(file);
  }
  return dropped;
}
