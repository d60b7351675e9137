/** Long enough for the browser to open the URL. */
const ADDRESS_MS = 60_000;

/** Saves bytes as a download of the browser. */
export function saveFileAsDownload(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), ADDRESS_MS);
}
