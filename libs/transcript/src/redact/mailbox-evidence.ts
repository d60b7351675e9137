import type { BareWord } from './redaction-span.js';

/** These stand before or after “at” and “dot” in ordinary sentences: “look at the dot on the map”. */
const FUNCTION_WORDS = new Set(
  `a an the this that these those my your his her its our their each every some any no one what which who whose there here and or but
  nor if when while as than then so in on of to for from by with about into over under between is am are was were be been do does did
  has have had it he she we they you me him us them i not just all both only very too now again
  der die das den dem des ein eine einen einem einer dieser diese dieses diesem diesen ist war und oder in im an am auf zu
  le la les un une des du de ce cet cette ces mon ma mes ton ta tes son sa ses notre votre leur et ou est à au aux dans sur que qui
  el los las una unos unas al del este esta ese esa mi mis tu tus su sus y o en es por que
  il lo gli uno questo questa quel quello quella mio mia suo sua e ed di da nel nella che`.split(/\s+/),
);
/** Verbs that go with “at”. */
const VERBS_WITH_AT = new Set(
  `look looks looked looking point points pointed pointing stare stares stared staring aim aimed aiming shout shouted laugh laughs
  laughed laughing arrive arrives arrived arriving meet meets met meeting work works worked working stay stays stayed staying stop
  stopped live lives lived living sit sits sat sitting stand stands stood standing start started end ended`.split(
    /\s+/,
  ),
);
/** Announce an address. */
const ADDRESSING =
  /^(e-?)?mail(s|ed|ing|e|es|en|adresse)?$|^(write|writing|wrote|send|sends|sent|address|schreib|schreibe|schreiben|schick|écris|écrivez|écrire|envoyez|escribe|escriba|correo|scrivi|scrivere|contact|reach)$/;
/** How far before the name such a word may be. */
const MAX_ADDRESSING_WORDS = 3;
const PROVIDERS = /^(gmail|googlemail|outlook|hotmail|yahoo|icloud|aol|gmx|proton|protonmail)\./;

/** Whether the word is one such as “the” or “it”: a spoken domain does not start with it, and seldom ends with it. */
export function isFunctionWord({ text }: BareWord): boolean {
  return FUNCTION_WORDS.has(text.toLowerCase());
}

/** Whether “at” after this word is rather the preposition. */
export function isAtPrepositionAfter(word: BareWord | undefined): boolean {
  return word === undefined || isFunctionWord(word) || VERBS_WITH_AT.has(word.text.toLowerCase());
}

/**
 * Whether the words before a plain “at” are a mailbox: joined, spelled, with digits or a mark within, or announced by “mail”,
 * “write to” and the like; or whether what follows is a provider of mail.
 */
export function hasMailboxEvidence(words: readonly BareWord[], nameStart: number, at: number): boolean {
  const name = words.slice(nameStart, at);
  const [first] = name;
  if (!first || name.every((word) => isAtPrepositionAfter(word))) return false;
  if (name.length > 1 || /\p{L}[._+\-\d]+\p{L}|\p{L}\d|\d\p{L}/u.test(first.text)) return true;
  if (PROVIDERS.test(words[at + 1]?.text.toLowerCase() ?? '')) return true;
  return words
    .slice(Math.max(0, nameStart - MAX_ADDRESSING_WORDS), nameStart)
    .some(({ text }) => ADDRESSING.test(text.toLowerCase()));
}
