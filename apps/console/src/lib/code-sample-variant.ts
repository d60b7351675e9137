/** In the order in which pages show them. */
export const CODE_SAMPLE_VARIANTS = ['curl', 'typescript', 'python', 'go', 'openai'] as const;

export type CodeSampleVariant = (typeof CODE_SAMPLE_VARIANTS)[number];

const SETTING = 'code-language';

/** The variant that was chosen last in this browser. */
export function readSavedCodeSampleVariant(): string | null {
  return localStorage.getItem(SETTING);
}

export function saveCodeSampleVariant(variant: CodeSampleVariant): void {
  localStorage.setItem(SETTING, variant);
}
