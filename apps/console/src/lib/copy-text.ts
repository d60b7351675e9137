/** @returns false if the browser has not copied it */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // There is no clipboard without https, or the page may not use it.
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const { activeElement } = document;
  const field = document.createElement('textarea');
  field.className = 'sr-only';
  field.readOnly = true;
  field.value = text;
  // Outside of an open dialog nothing can be selected.
  (activeElement?.closest('dialog') ?? document.body).append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
  return isCopied;
}
