import {
  AUXILIARIES,
  DETERMINERS,
  VERBS_WITHOUT_ENDING,
  PREPOSITIONS,
  PRONOUNS,
  parseWordSet,
} from './english-words.js';

export const SUBORDINATORS = parseWordSet(
  'when whenever if as while although though because since before after until unless once where wherever what how whether',
);
/** A pronoun after these begins a dependent clause: "I think he is", "the day we met". */
export const CLAUSE_TAKING_WORDS = parseWordSet(
  'that think thinks thought know knows knew say says said hope hoped guess suppose believe believes believed mean means see feel sure afraid remember tell told wish bet find found show shows like way time day thing place',
);
/** Open a sentence if a verb follows. */
const INDEFINITE_SUBJECTS = parseWordSet(
  'nobody somebody everybody someone everyone nothing something everything most people',
);
/** Maximum distance of the verb from the first word of its subject: "the old lady next door is". */
const MAX_VERB_DISTANCE = 3;
const VERB_ENDING = /'(s|re|m|ve|ll|d)$|..(?<!hundr|ne|e)ed$/;

/** Whether a clause starts here, as with "the door will", "my brother and I were" or "nobody wants". */
export function startsClause(words: readonly string[], index: number): boolean {
  const word = words[index] ?? '';
  if (INDEFINITE_SUBJECTS.has(word)) return isVerb(words[index + 1] ?? '', '');
  if (!DETERMINERS.has(word) || isVerb(words[index - 1] ?? '', words[index - 2] ?? '')) return false;
  const next = words.slice(index + 2, index + 2 + MAX_VERB_DISTANCE);
  const verb = next.findIndex((one) => AUXILIARIES.has(one) || PREPOSITIONS.has(one));
  return verb >= 0 && AUXILIARIES.has(next[verb] ?? '');
}

/** @param end exclusive */
export function hasVerbs(words: readonly string[], from: number, end: number, needed = 1): boolean {
  let verbs = 0;
  for (let index = from; index < end && verbs < needed; index += 1)
    if (isVerb(words[index] ?? '', index > from ? (words[index - 1] ?? '') : '')) verbs += 1;
  return verbs === needed;
}

function isVerb(word: string, before: string): boolean {
  if (AUXILIARIES.has(word) || VERBS_WITHOUT_ENDING.has(word) || PRONOUNS.has(before)) return true;
  return VERB_ENDING.test(word);
}
