/** ARPAbet phones of the acoustic model. */
const PHONES =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );
const KNOWN_PHONES: ReadonlySet<string> = new Set(PHONES);

const FROM_FLITE: ReadonlyMap<string, string> = new Map([
  ['ax', 'AH'],
  ['axr', 'ER'],
  ['el', 'AH L'],
  ['em', 'AH M'],
  ['en', 'AH N'],
]);

/** Converts flite output (`k ax b er n iy t s`) to ARPAbet; null for an unknown phone. */
export function convertFlitePhonesToArpabet(line: string): string | null {
  const names = line.trim().split(/\s+/);
  return joinKnownPhones(
    names.flatMap((name) => (name === 'pau' ? [] : [FROM_FLITE.get(name) ?? name.toUpperCase()])),
  );
}

/** espeak-ng phones of American English without stress: vowels, then consonants. */
const FROM_ESPEAK: ReadonlyMap<string, string> = parseMapping(`
  @:AH @2:AH @5:AH @-:AH @L:AH+L @r:ER 3:ER 3::ER 0:AA 0#:AA A::AA A@:AA+R A#:AA O~:AO+N A~:AA+N
  a:AE aa:AE a#:AH aI:AY aI@:AY+AH aI3:AY+ER aU:AW aU@:AW+ER E:EH E2:EH e@:EH+R eI:EY
  I:IH I2:IH I#:IH i@:IY+AH i@3:IH+R i:IY i::IY O::AO O:AO O2:AO O@:AO+R o@:AO+R OI:OY
  oU:OW oU#:OW U:UH U@:UH+R u::UW u:UW V:AH
  b:B d:D f:F g:G h:HH j:Y k:K l:L l-:AH+L l#:L m:M n:N n-:AH+N p:P r:R r-:R s:S t:T t#:T t2:T ?:T
  v:V w:W z:Z D:DH N:NG S:SH T:TH Z:ZH tS:CH dZ:JH x:K ;:
`);

function parseMapping(table: string): Map<string, string> {
  const lines = table.trim().split(/\s+/);
  return new Map(
    lines.map((pair) => {
      const colon = pair.lastIndexOf(':');
      return [pair.slice(0, colon), pair.slice(colon + 1).replace('+', ' ')];
    }),
  );
}

/**
 * The IPA of espeak-ng's other voices: the English phone that is nearest, without length, palatalization and tone. Mandarin
 * has a dot for retroflex and an h for aspirated consonants.
 */
const FROM_IPA: ReadonlyMap<string, string> = parseMapping(`
  a:AA ɑ:AA ɐ:AH ə:AH ɜ:ER ɛ:EH e:EY i:IY ɪ:IH ɨ:IH y:UW ʏ:UH ø:ER œ:ER ɵ:UH o:OW ɔ:AO u:UW ʊ:UH ɯ:IH æ:AE
  aɪ:AY ai:AY aʊ:AW ɑu:AW ɔø:OY ou:OW iou:Y+OW yə:Y+UW+EH iɛ:Y+EH onɡ:UH+NG
  b:B β:V c:K d:D dz:D+Z dʑ:JH dʒ:JH ð:DH f:F h:HH j:Y k:K l:L ɫ:L m:M n:N ŋ:NG ɲ:N+Y p:P pf:P+F r:R r̝:ZH ɾ:R
  s:S s.:SH sx:SH ɕ:SH ʂ:SH ʃ:SH t:T ts:T+S tsh:T+S ts.:JH ts.h:CH tɕ:CH tɕh:CH tʃ:CH v:V w:W x:HH z:Z ʑ:ZH ʐ:ZH ʒ:ZH
  ɟ:G ɡ:G ɣ:G ʎ:L+Y
`);
const VOWEL = '[AEIOU]\\w';

/** Converts espeak-ng's IPA of another language (`v_ɔ_j_tɕ_ɛ_x`) to ARPAbet; null for an unknown phone. */
export function convertEspeakIpaToArpabet(line: string): string | null {
  const names = line.split(/[_\s]+/).map((name) => name.replace(/[ˈˌːʲ\d]/g, ''));
  const phones = joinKnownPhones(names.flatMap((name) => (name === '' ? [] : [FROM_IPA.get(name) ?? '?'])));
  // English has one phone for a vowel and a glide in the same syllable.
  return (
    phones
      ?.replace(new RegExp(`(?:AO|OW) Y(?! ${VOWEL})`, 'g'), 'OY')
      .replace(new RegExp(`AA Y(?! ${VOWEL})`, 'g'), 'AY')
      .replace(new RegExp(`EH Y(?! ${VOWEL})`, 'g'), 'EY') ?? null
  );
}

/** Converts espeak-ng output (`k_j_'u:_b_3_n_,i:_t_s`) to ARPAbet; null for an unknown phone. */
export function convertEspeakPhonesToArpabet(line: string): string | null {
  const names = line
    .trim()
    .split(/[_\s]+/)
    .map((name) => name.replace(/^[',=%|]+/, ''))
    .filter((name) => name !== '');
  return joinKnownPhones(names.map((name) => FROM_ESPEAK.get(name) ?? '?'));
}

function joinKnownPhones(sounds: readonly string[]): string | null {
  const all = sounds.flatMap((sound) => sound.split(' ').filter((one) => one !== ''));
  return all.length > 0 && all.every((sound) => KNOWN_PHONES.has(sound)) ? all.join(' ') : null;
}
