import { describe, expect, it } from 'vitest';
import { detectTextLanguage, ensureTextLanguageDetectorLoaded } from './detect-text-language.js';

const EUROPEAN = ['cs', 'da', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pl', 'pt-PT', 'ru', 'sv', 'uk'];

describe('detectTextLanguage', async () => {
  await ensureTextLanguageDetectorLoaded();

  it.each([
    ['en', 'nobody knew where the old man had gone'],
    ['de', 'Wir sollten uns vor dem Regen am Bahnhof treffen.'],
    ['fr', 'je voudrais commander un café au lait'],
    ['pt-PT', 'muito obrigado pela sua ajuda'],
    ['uk', 'Зачини, будь ласка, вікно, бо стає холодно, і принеси мені ще щось гаряче.'],
  ])('detects %s among the languages of the engine: %s', (language, text) => {
    expect(detectTextLanguage(text, EUROPEAN)).toBe(language);
  });

  it('never returns a language that the engine does not know', () => {
    expect(detectTextLanguage('nobody knew where the old man had gone', ['de', 'fr'])).not.toBe('en');
    expect(detectTextLanguage('これは日本語の文章です', EUROPEAN)).toBeNull();
  });

  it('does not guess from too little text', () => {
    for (const text of ['', 'ok', 'Anna Smith', '12 34 56', 'hmm hmm hmm'])
      expect(detectTextLanguage(text, EUROPEAN), text).toBeNull();
  });

  it.each([
    ['th', 'ฉันชอบกินข้าวผัดกุ้ง'],
    ['lo', 'ຂ້ອຍຢາກໄປຕະຫຼາດມື້ອື່ນ'],
    ['km', 'ខ្ញុំចង់ទៅផ្សារនៅថ្ងៃស្អែក'],
    ['my', 'ခင်ဗျားကိုတွေ့ရတာဝမ်းသာပါတယ်'],
  ])('detects %s, which has no spaces', (language, text) => {
    expect(detectTextLanguage(text, 'any')).toBe(language);
    expect(detectTextLanguage(text, ['en', language])).toBe(language);
    expect(detectTextLanguage(text, ['en', 'de'])).toBeNull();
  });

  it('detects every language for an engine that knows any', () => {
    expect(detectTextLanguage('今日はとても良い天気ですね', 'any')).toBe('ja');
    expect(
      detectTextLanguage(
        'Ты можешь прислать мне отчёт до завтра? Начальник уже спрашивал, что с ним.',
        'any',
      ),
    ).toBe('ru');
  });
});
