const FIRST_STRONG = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a paragraph reads from right to left: its first letter decides. */
export function readsRightToLeft(text: string): boolean {
  const letter = FIRST_STRONG.exec(text)?.[0];
  return letter !== undefined && RIGHT_TO_LEFT.test(letter);
}
