import type { InstalledModel } from '../models/installed-model.js';

/** English names that `Intl.DisplayNames` does not produce. */
const NAME_ALIASES: ReadonlyMap<string, string> = new Map([
  ['castilian', 'es'],
  ['flemish', 'nl'],
  ['haitian', 'ht'],
  ['letzeburgesch', 'lb'],
  ['mandarin', 'zh'],
  ['moldavian', 'ro'],
  ['moldovan', 'ro'],
  ['myanmar', 'my'],
  ['nynorsk', 'nn'],
  ['panjabi', 'pa'],
  ['pushto', 'ps'],
  ['sinhalese', 'si'],
  ['tagalog', 'tl'],
  ['valencian', 'ca'],
]);
const THREE_LETTER_TAGS = ['haw', 'yue', 'fil', 'ceb'];
/** Tags of no language: undetermined, several, none, not coded. */
const NO_LANGUAGE = new Set(['und', 'mul', 'zxx', 'mis']);
const TAG = /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i;

let tagsByName: Map<string, string> | undefined;

/** Accepts a tag (`en`, `pt_BR`) or an English name (`english`); null for anything else. */
export function toLanguageTag(language: string | null | undefined): string | null {
  const text = normalizeName(language ?? '');
  const tag = NAME_ALIASES.get(text) ?? (tagsByName ??= buildTagsByName()).get(text);
  if (tag !== undefined) return tag;
  return TAG.test(text) && !NO_LANGUAGE.has(text) ? canonicalizeTag(text.replaceAll('_', '-')) : null;
}

/** Covers all two-letter tags and `THREE_LETTER_TAGS`. */
function buildTagsByName(): Map<string, string> {
  const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const tags = letters.flatMap((first) => letters.map((second) => first + second));
  const found = new Map<string, string>();
  for (const tag of [...tags, ...THREE_LETTER_TAGS]) {
    const name = display.of(tag);
    // Deprecated tags share the name of their replacement, which is canonical.
    if (name !== undefined) found.set(normalizeName(name), canonicalizeTag(tag) ?? tag);
  }
  return found;
}

function canonicalizeTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** Lower case without accents: `Māori` becomes `maori`. */
function normalizeName(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}

/** Accepts `en`, `<|en|>` or empty. Falls back to the model's only language; null when unknown. */
export function parseModelLanguageTag(
  language: string,
  { languages }: Pick<InstalledModel, 'languages'>,
): string | null {
  const tag = toLanguageTag(language.replace(/^<\|(.*)\|>$/, '$1'));
  if (tag !== null) return tag;
  return languages !== 'any' && languages.length === 1 ? (languages[0] ?? null) : null;
}

/** @param languages BCP 47 tags, or `any` */
export function supportsLanguage(languages: readonly string[] | 'any', language: string): boolean {
  return languages === 'any' || languages.some((known) => primarySubtag(known) === primarySubtag(language));
}

function primarySubtag(tag: string): string {
  return tag.toLowerCase().split(/[-_]/)[0] ?? '';
}
