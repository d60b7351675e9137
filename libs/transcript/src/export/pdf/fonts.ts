import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** In order of preference: a character is set in the first family that has it. */
export const FONT_FAMILIES = ['Noto Sans', 'Vazirmatn', 'Noto Sans Devanagari', 'Noto Sans SC'];

const FILES = [
  'noto-sans/400Regular/NotoSans_400Regular.ttf',
  'noto-sans/700Bold/NotoSans_700Bold.ttf',
  'vazirmatn/400Regular/Vazirmatn_400Regular.ttf',
  'noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf',
  'noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf',
];

/** Where the font files of the installed packages lie. */
export function fontFiles(): string[] {
  return FILES.map((file) => resolve(`@expo-google-fonts/${file}`));
}
