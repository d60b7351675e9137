import type { Vocabulary } from '../../api/vocabularies.ts';
import { Notice } from '../../components/notice.tsx';
import { texts } from '../../texts/index.ts';

const words = texts.vocabularies;

/** What somebody else has changed since the vocabulary was loaded, for those who have changed it as well. */
export function VocabularyConflictNotice({ seen, theirs }: { seen: Vocabulary; theirs: Vocabulary }) {
  const added = listMissingTerms(theirs.terms, seen.terms);
  const removed = listMissingTerms(seen.terms, theirs.terms);
  return (
    <Notice kind="error">
      <p className="font-semibold">{words.changedMeanwhile}</p>
      <p>{words.changedMeanwhileHelp}</p>
      {theirs.name !== seen.name && <Change title={words.theirName} lines={[theirs.name]} />}
      {added.length > 0 && <Change title={words.theirAdded} lines={added} />}
      {removed.length > 0 && <Change title={words.theirRemoved} lines={removed} />}
    </Notice>
  );
}

function Change({ title, lines }: { title: string; lines: readonly string[] }) {
  return (
    <>
      <p>{title}</p>
      {/* In lines that can be copied into the field. */}
      <p dir="auto" className="max-h-40 overflow-y-auto pl-4 wrap-anywhere whitespace-pre-line">
        {lines.join('\n')}
      </p>
    </>
  );
}

/** Those of the first list that the second one does not have. */
function listMissingTerms(terms: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return terms.filter((term) => !known.has(term));
}
