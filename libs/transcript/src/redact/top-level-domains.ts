const COUNTRY_DOMAINS = new Set(
  `ac ad ae af ag ai al am ao aq ar as at au aw ax az ba bb bd be bf bg bh bi bj bm bn bo br bs bt bw by bz ca cc cd cf cg ch ci ck
  cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg er es et eu fi fj fk fm fo fr ga gd ge gf gg gh gi gl gm gn gp gq gr
  gs gt gu gw gy hk hm hn hr ht hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr ls
  lt lu lv ly ma mc md me mg mh mk ml mm mn mo mp mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni nl no np nr nu nz om pa pe pf pg
  ph pk pl pm pn pr ps pt pw py qa re ro rs ru rw sa sb sc sd se sg sh si sk sl sm sn so sr ss st su sv sx sy sz tc td tf tg th tj
  tk tl tm tn to tr tt tv tw tz ua ug uk us uy uz va vc ve vg vi vn vu wf ws ye yt za zm zw`.split(/\s+/),
);
const GENERIC_DOMAINS = new Set(
  `com org net edu gov mil int info biz app dev online website xyz tech eu cat berlin hamburg london paris wien nyc aero coop asia
  mobi`.split(/\s+/),
);
/** Generic domains that are words, as in “the polka dot shop”. */
const WORD_DOMAINS = new Set('shop store site club agency cloud email digital museum blog'.split(' '));
/** Domains that are rather the ends of file names: README.md, main.py. */
const FILE_EXTENSIONS = new Set(['md', 'py', 'sh']);

/** Domains of countries that are words: “at this point in time”, “mi punto de vista”. */
const WORDS_BY_LANGUAGE = {
  en: new Set('am as at be by do in is it me my no so to us'.split(' ')),
  de: new Set('am an da du er es im in la so um zu'.split(' ')),
  fr: new Set('as au de es et eu il la ma me ne ni nu sa se si va'.split(' ')),
  es: new Set('al de es la me no se si su va ve'.split(' ')),
  it: new Set('al ai ci da di in io la li ma me ne no se si su va ve vi'.split(' ')),
};

/** Words that are said for the dot of an address, and the languages in which they are. */
const DOT_LANGUAGES: ReadonlyMap<string, readonly (keyof typeof WORDS_BY_LANGUAGE)[]> = new Map([
  ['dot', ['en']],
  ['.', ['en']],
  ['punkt', ['de']],
  ['point', ['fr']],
  ['punto', ['es', 'it']],
]);
/** The English word is said everywhere. */
const INTERNATIONAL_DOTS = new Set(['dot', '.']);

/** @param language first part of a BCP 47 tag; null if unknown, where each word may be a dot */
export function isDotWord(word: string, language: string | null): boolean {
  const lower = word.toLowerCase();
  const languages = DOT_LANGUAGES.get(lower);
  if (!languages) return false;
  return language === null || INTERNATIONAL_DOTS.has(lower) || languages.some((each) => each === language);
}

/** Whether an address may end with this in writing. */
export function isTopLevelDomain(text: string): boolean {
  const lower = text.toLowerCase();
  if (GENERIC_DOMAINS.has(lower) || WORD_DOMAINS.has(lower)) return true;
  return COUNTRY_DOMAINS.has(lower) && !FILE_EXTENSIONS.has(lower);
}

/**
 * Whether a spoken address may end with a dot and this word, rather than a sentence go on.
 * @param language of the words; null if unknown, where it follows from the word for the dot
 */
export function mayEndSpokenAddress(dot: string, word: string, language: string | null): boolean {
  const lower = word.toLowerCase();
  if (GENERIC_DOMAINS.has(lower)) return true;
  if (!COUNTRY_DOMAINS.has(lower)) return false;
  const spoken = DOT_LANGUAGES.get(dot.toLowerCase()) ?? [];
  // A text of unknown language with “point” is French or English.
  const possible = language === null ? [...spoken, 'en'] : [...spoken, language];
  return !possible.some((each) => each in WORDS_BY_LANGUAGE && WORDS_BY_LANGUAGE[each as 'en'].has(lower));
}
