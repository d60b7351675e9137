/** English names that differ from those of the platform. */
const OTHER_NAMES: Record<string, string> = {
  castilian: 'es',
  flemish: 'nl',
  haitian: 'ht',
  letzeburgesch: 'lb',
  mandarin: 'zh',
  moldavian: 'ro',
  moldovan: 'ro',
  myanmar: 'my',
  nynorsk: 'nn',
  panjabi: 'pa',
  pushto: 'ps',
  sinhalese: 'si',
  tagalog: 'tl',
  valencian: 'ca',
};
const LONGER_TAGS = ['haw', 'yue', 'fil', 'ceb'];
const TAG = /^[a-z]{2,3}([-_][a-z0-9]{2,8})*$/i;

let names: Map<string, string> | undefined;

/**
 * The BCP 47 tag of a language that a server or a model tells by its tag (`en`, `pt_BR`) or by its English name (`english`).
 * Null when it is neither.
 */
export function languageTag(told: string | null | undefined): string | null {
  const text = plain(told ?? '');
  const tag = OTHER_NAMES[text] ?? (names ??= languageNames()).get(text);
  if (tag !== undefined) return tag;
  return TAG.test(text) && text !== 'und' ? canonical(text.replaceAll('_', '-')) : null;
}

/** English name -> tag, of every language with two letters and a few more. */
function languageNames(): Map<string, string> {
  const display = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' });
  const letters = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const tags = letters.flatMap((first) => letters.map((second) => first + second));
  const found = new Map<string, string>();
  for (const tag of [...tags, ...LONGER_TAGS]) {
    const name = display.of(tag);
    // Withdrawn tags have the name of the one in use, which is canonical.
    if (name !== undefined) found.set(plain(name), canonical(tag) ?? tag);
  }
  return found;
}

function canonical(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** Small letters without accents: `Māori` is `maori`. */
function plain(text: string): string {
  return text.trim().toLowerCase().normalize('NFD').replace(/\p{M}/gu, '');
}
