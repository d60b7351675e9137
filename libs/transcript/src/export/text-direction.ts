/** Invisible. */
export const LEFT_TO_RIGHT_MARK = '\u200e';
export const RIGHT_TO_LEFT_MARK = '\u200f';

const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
const RIGHT_TO_LEFT_LETTERS = new RegExp(`(?=\\p{L})${RIGHT_TO_LEFT.source}`, 'gu');
const LETTERS = /\p{L}/gu;
const RIGHT_TO_LEFT_LANGUAGE = /^(ar|fa|he|iw|ur|ps|sd|ug|yi|dv|syr|ckb|arc)(?![a-z])/i;

/** The majority of letters decides. In a right-to-left language one such letter is enough, for paragraphs with foreign words. */
export function isRightToLeft(text: string, language: string | null): boolean {
  if (!RIGHT_TO_LEFT.test(text)) return false;
  const letters = text.match(RIGHT_TO_LEFT_LETTERS)?.length ?? 0;
  if (letters > 0 && RIGHT_TO_LEFT_LANGUAGE.test(language ?? '')) return true;
  return letters * 2 > (text.match(LETTERS)?.length ?? 0);
}

/** Decides by the first letter or direction mark. */
export function startsRightToLeft(text: string): boolean {
  const strong = /[\p{L}\u200e\u200f]/u.exec(text)?.[0];
  return strong === RIGHT_TO_LEFT_MARK || (strong !== undefined && RIGHT_TO_LEFT.test(strong));
}

export interface DirectionalRun {
  text: string;
  rightToLeft: boolean;
}

const LEFT = `(?!${RIGHT_TO_LEFT.source})\\p{L}`;
const RIGHT = `(?=\\p{L})${RIGHT_TO_LEFT.source}`;
/** Numbers after a Latin word belong to it, as in `ISO 9001`, and marks to the letter before them. */
const LEFT_TO_RIGHT_RUN = new RegExp(`(?:${LEFT})(?:(?:(?!${RIGHT}).)*(?:${LEFT}|\\p{N}))?\\p{M}*`, 'gu');
const RIGHT_TO_LEFT_RUN = new RegExp(`(?:${RIGHT})(?:(?:(?!${LEFT}).)*(?:${RIGHT}))?\\p{M}*`, 'gu');

/**
 * Splits a paragraph where its direction changes. Characters without a direction get that of the paragraph, unless they are
 * between two letters of the other one. The joined runs are the text.
 */
export function splitByDirection(text: string, rightToLeft: boolean): DirectionalRun[] {
  if (!rightToLeft && !RIGHT_TO_LEFT.test(text)) return [{ text, rightToLeft }];
  const parts: DirectionalRun[] = [];
  let done = 0;
  for (const { 0: stretch, index } of text.matchAll(rightToLeft ? LEFT_TO_RIGHT_RUN : RIGHT_TO_LEFT_RUN)) {
    if (index > done) parts.push({ text: text.slice(done, index), rightToLeft });
    parts.push({ text: stretch, rightToLeft: !rightToLeft });
    done = index + stretch.length;
  }
  if (done < text.length) parts.push({ text: text.slice(done), rightToLeft });
  return parts;
}
