import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What a recogniser may write for a name that it does not know: espeak-ng says the name, some of its sounds are taken for
 * others or missed, and the rest is spelled as words of the language are.
 *
 * The confusions are those that listeners make in noise (place of articulation, voice, nearby vowels). They are deliberately not the
 * groups of sounds by which the correction measures similarity.
 *
 * @param {{ term: string, voice: string, language: string, random: import('./seeded-random.mjs').SeededRandom }} name
 * @returns {Promise<string>} as many words as the name has
 */
export async function mishear({ term, voice, language, random }) {
  const words = [];
  for (const part of term.split(' ')) {
    const sounds = confuse(await pronounce(part, voice), random);
    words.push(spell(sounds, language, random));
  }
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(' ');
}

async function pronounce(word, voice) {
  const { stdout } = await run('espeak-ng', ['-q', '--ipa', '-v', voice, word]);
  return [...stdout.replace(/\([a-z-]+\)/g, '').replace(/[^\p{Ll}\p{Lo}]/gu, '')];
}

const CONFUSED = parsePairs(`
  p:tb t:pkd k:tɡ b:dp d:bɡt ɡ:dk f:sθ θ:fs s:ʃzf z:s ʃ:s ʒ:ʃ v:bf m:n n:mŋ ŋ:n l:r r:l ɹ:l ʁ:r ɾ:l
  i:ɪe ɪ:ie e:ɛi ɛ:ea a:ɑɛ ɑ:aɔ æ:ɛa ʌ:aə ə:ɪa o:ɔu ɔ:oɑ u:ʊo ʊ:uo y:iu ø:eo œ:ɛə ɐ:a ɨ:iɪ`);
const MISSED = new Set('əhjwɹrʁɾtdln');
/** One sound in six is confused, of the easily missed ones one in twenty is missed. */
const CONFUSION_SHARE = 1 / 6;
const MISSED_SHARE = 1 / 20;

function confuse(sounds, random) {
  return sounds.flatMap((sound, index) => {
    if (index > 0 && MISSED.has(sound) && random.next() < MISSED_SHARE) return [];
    const others = [...(CONFUSED.get(sound) ?? '')];
    return others.length > 0 && random.next() < CONFUSION_SHARE ? [random.pick(others)] : [sound];
  });
}

/** Spellings of a sound, by the number of times they are chosen. The longest sequence of sounds comes first. */
const SPELLINGS = {
  en: parseSpellings(`tʃ:ch,tch dʒ:j,g ts:ts,tz aɪ:y,i,ie eɪ:ay,ai,a oʊ:o,ow aʊ:ow,ou ɔɪ:oy ju:u,you ks:x
    ʃ:sh ʒ:zh θ:th ð:th ŋ:ng x:h ç:h j:y i:ee,i,y ɪ:i,y e:e,ay ɛ:e a:a ɑ:a,o æ:a ʌ:u ə:a,e ɜ:er ɚ:er o:o,ow ɔ:o,aw u:oo,u
    ʊ:u,oo y:u ø:er œ:er ɐ:a ᵻ:i ɨ:i ɡ:g ɒ:o ɫ:l ɹ:r r:r ʁ:r ɾ:r,t k:k,c,ck f:f,ph s:s,ss z:z,s v:v w:w ɲ:n,ny ʎ:l,ly β:b ɣ:g ɕ:sh ʑ:zh`),
  de: parseSpellings(`tʃ:tsch,ch dʒ:dsch ts:z,tz aɪ:ei,ai aʊ:au ɔɪ:eu,oi ɔø:eu ks:x,chs eɪ:e,ei oʊ:o ju:ju
    ʃ:sch ʒ:sch θ:s ð:s ŋ:ng x:ch ç:ch j:j i:i,ie ɪ:i e:e,eh ɛ:e,ä a:a ɑ:a æ:ä,e ʌ:a ə:e ɜ:er ɚ:er o:o,oh ɔ:o u:u ʊ:u y:ü
    ø:ö œ:ö ɐ:a,er ᵻ:i ɨ:i ɡ:g ɒ:o ɫ:l ɹ:r r:r ʁ:r ɾ:r k:k,ck f:f,v s:s,ss z:s v:w w:w ɲ:n ʎ:l β:b ɣ:g ɕ:sch ʑ:sch ɯ:i ʔ:`),
  es: parseSpellings(`tʃ:ch dʒ:y ts:ts aɪ:ai,ay aʊ:au eɪ:ei,e oʊ:o ju:iu ks:x
    ʃ:s,sh ʒ:y θ:z,c ð:d ŋ:n x:j ç:j j:i,y i:i ɪ:i e:e ɛ:e a:a ɑ:a æ:a ʌ:a ə:e,a ɜ:er ɚ:er o:o ɔ:o u:u ʊ:u y:i ø:e œ:e ɐ:a
    ᵻ:i ɨ:i ɡ:g ɒ:o ɫ:l ɹ:r r:r,rr ʁ:r ɾ:r k:k,c f:f s:s z:s v:v,b w:hu,u ɲ:ñ ʎ:ll β:b,v ɣ:g b:b,v h:j ɕ:s ʑ:s`),
  fr: parseSpellings(`tʃ:tch dʒ:dj ts:ts aɪ:aï aʊ:aou eɪ:é oʊ:o,au ju:iou ks:x wa:oi
    ʃ:ch ʒ:j θ:s ð:z ŋ:ng x:h ç:ch j:y,i i:i,y ɪ:i e:é,er ɛ:è,ai a:a ɑ:a æ:a ʌ:a ə:e ɜ:eur ɚ:eur o:o,au,eau ɔ:o u:ou ʊ:ou
    y:u ø:eu œ:eu ɐ:a ᵻ:i ɨ:i ɡ:g ɒ:o ɫ:l ɹ:r r:r ʁ:r,rr ɾ:r k:k,c,qu f:f,ph s:s,ss z:z,s v:v w:ou ɲ:gn ʎ:ll β:b ɣ:g ɕ:ch ʑ:j`),
};

function spell(sounds, language, random) {
  const spellings = SPELLINGS[language];
  let written = '';
  for (let at = 0; at < sounds.length;) {
    const pair = sounds.slice(at, at + 2).join('');
    const found = spellings.get(pair);
    const choices = found ?? spellings.get(sounds[at]) ?? [sounds[at]];
    written += random.pick(choices);
    at += found ? 2 : 1;
  }
  return written.replace(/[^\p{L}]/gu, '').replace(/^c(?=k)|^(.)(?=\1)|(.)(?=\2\2)/gu, '') || sounds.join('');
}

function parsePairs(table) {
  return new Map(
    table
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(':')),
  );
}

function parseSpellings(table) {
  return new Map([...parsePairs(table)].map(([sound, letters]) => [sound, letters.split(',')]));
}
