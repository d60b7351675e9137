import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** China, Japan and Korea share characters, but write them in different forms. */
export type CjkVariant = 'zh' | 'ja' | 'ko';

/** A character is set in the first family that contains it. */
const FAMILIES = ['Noto Sans', 'Noto Sans Hebrew', 'Vazirmatn', 'Noto Sans Devanagari'];
const CJK_FAMILIES: Record<CjkVariant, string> = {
  zh: 'Noto Sans SC',
  ja: 'Noto Sans JP',
  ko: 'Noto Sans KR',
};

export const FONT_FALLBACK_LISTS_BY_CJK_VARIANT: Record<CjkVariant, string[]> = {
  zh: listFamilies('zh', 'ja', 'ko'),
  ja: listFamilies('ja', 'zh', 'ko'),
  ko: listFamilies('ko', 'zh', 'ja'),
};

const FOLDERS = {
  'noto-sans': 'NotoSans',
  'noto-sans-hebrew': 'NotoSansHebrew',
  vazirmatn: 'Vazirmatn',
  'noto-sans-devanagari': 'NotoSansDevanagari',
  'noto-sans-sc': 'NotoSansSC',
  'noto-sans-jp': 'NotoSansJP',
  'noto-sans-kr': 'NotoSansKR',
};
const WEIGHTS = ['400Regular', '700Bold'];

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** The typesetter reads only those that a document needs. */
export function listFontFiles(): string[] {
  return Object.entries(FOLDERS).flatMap(([folder, file]) =>
    WEIGHTS.map((weight) => resolve(`@expo-google-fonts/${folder}/${weight}/${file}_${weight}.ttf`)),
  );
}

/** The language decides, or else characters that only one of the languages has. */
export function detectCjkVariant(text: string, language: string | null): CjkVariant {
  if (language === 'ja' || language === 'ko' || language === 'zh') return language;
  if (KANA.test(text)) return 'ja';
  return HANGUL.test(text) ? 'ko' : 'zh';
}

function listFamilies(...forms: CjkVariant[]): string[] {
  return [...FAMILIES, ...forms.map((form) => CJK_FAMILIES[form])];
}
