import { CodeSampleBlock } from '../../components/code-block.tsx';
import { Section } from '../../components/page.tsx';
import { texts } from '../../texts/index.ts';
import go from './snippets/verify.go.txt?raw';
import python from './snippets/verify.py.txt?raw';
import shell from './snippets/verify.sh.txt?raw';
import typescript from './snippets/verify.ts.txt?raw';

const SNIPPETS = { curl: shell, typescript, python, go };
const VARIANTS = ['curl', 'typescript', 'python', 'go'] as const;

export function SignatureVerificationSection() {
  return (
    <Section title={texts.webhooks.verify.title}>
      <p className="text-muted">{texts.webhooks.verify.intro}</p>
      <CodeSampleBlock variants={VARIANTS} render={(variant) => SNIPPETS[variant]} />
    </Section>
  );
}
