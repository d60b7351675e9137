import { useSuspenseQuery } from '@tanstack/react-query';
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react';
import { sessionQueryOptions } from '../../api/queries.ts';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { CheckboxField } from '../../components/field.tsx';
import { Notice } from '../../components/notice.tsx';
import type { JobDetails } from '../../api/jobs.ts';
import { playFromTime } from '../../transcript/audio-actions.ts';
import { type CorrectedTextBySegment, renderPlainText } from '../../transcript/plain-text.ts';
import { findTextMatches } from '../../transcript/text-parts.ts';
import type { TranscriptDocument } from '../../transcript/transcript-document.ts';
import { buildWordTimeIndex } from '../../transcript/word-time-index.ts';
import { texts } from '../../texts/index.ts';
import { buildUploadOwnerKey } from '../../uploads/owner.ts';
import { AudioChooser } from './audio-chooser.tsx';
import { AudioElement } from './audio-element.tsx';
import { DownloadMenu } from './download-menu.tsx';
import { Player } from './player.tsx';
import { SearchBar } from './search-bar.tsx';
import { SegmentList } from './segment-list.tsx';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { type RejectedSpeakerNameChanges, SpeakerNamesDialog } from './speaker-dialog.tsx';
import { useOptimisticCorrections, useOptimisticSpeakerNames } from './use-optimistic-changes.ts';
import { useLocalJobAudioFile } from './use-local-job-audio-file.ts';
import { useKeyboardShortcuts } from './use-keyboard-shortcuts.ts';
import { useHighlightSpokenWordAndSegment } from './use-highlight-spoken-word-and-segment.ts';

interface TranscriptViewProps {
  accountId: string;
  job: JobDetails;
  document: TranscriptDocument;
  /** Null if they could not be loaded: then nothing can be corrected. */
  corrections: CorrectedTextBySegment | null;
}

const NO_CORRECTIONS: CorrectedTextBySegment = new Map();
const SHORTCUTS_SETTING = 'transcript-shortcuts';

export function TranscriptView({ accountId, job, ...props }: TranscriptViewProps) {
  const t = texts.transcript;
  const { job_id: jobId } = job;
  const { data: session } = useSuspenseQuery(sessionQueryOptions);
  const canWrite = session.account?.permissions.includes('jobs.write') ?? false;
  const canEdit = canWrite && props.corrections !== null;
  const source = useLocalJobAudioFile(jobId, buildUploadOwnerKey(session) ?? '');
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const [isFollowing, setFollowing] = useState(true);
  const [marksUncertain, setMarksUncertain] = useState(true);
  const [dialog, setDialog] = useState<'speakers' | 'shortcuts' | 'remove-audio' | null>(null);
  const [hasShortcuts, setShortcuts] = useState(() => localStorage.getItem(SHORTCUTS_SETTING) !== 'off');
  const [rejectedNames, setRejectedNames] = useState<RejectedSpeakerNameChanges | null>(null);
  const { document, saveNames } = useOptimisticSpeakerNames(
    accountId,
    jobId,
    props.document,
    (names, error) => {
      setRejectedNames((before) => ({ names: { ...before?.names, ...names }, error }));
      setDialog('speakers');
    },
  );
  const { corrections, saveCorrection } = useOptimisticCorrections(
    accountId,
    jobId,
    props.corrections ?? NO_CORRECTIONS,
  );
  const list = useRef<HTMLOListElement>(null);
  const searchInput = useRef<HTMLInputElement>(null);
  const showSegment = useRef<((segment: number) => void) | null>(null);

  const index = useMemo(() => buildWordTimeIndex(document.segments), [document.segments]);
  const search = useSearchInText(document, corrections, (segment) => showSegment.current?.(segment));
  const follow = useCallback(
    (segment: number) => {
      // A user who corrects a passage listens to it meanwhile.
      const isCorrecting = list.current?.querySelector('textarea') != null;
      if (isFollowing && audio && !audio.paused && !isCorrecting) showSegment.current?.(segment);
    },
    [isFollowing, audio],
  );
  useHighlightSpokenWordAndSegment({ audio, list, index, onSegment: follow });
  useKeyboardShortcuts(hasShortcuts && dialog === null, {
    audio,
    focusSearch: useCallback(() => searchInput.current?.focus(), []),
    showHelp: useCallback(() => setDialog('shortcuts'), []),
  });

  const closeSpeakerDialog = () => {
    setDialog(null);
    setRejectedNames(null);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <SearchBar {...search.bar} input={searchInput} />
        <div className="flex flex-wrap gap-2 sm:ml-auto">
          {canWrite && document.speakers.length > 0 && (
            <Button onClick={() => setDialog('speakers')}>{t.speakers}</Button>
          )}
          <CopyButton
            text={() => renderPlainText(document, corrections)}
            label={t.copyText}
            fileName={`${job.file_name ?? jobId}.txt`}
          />
          <Button onClick={() => setDialog('shortcuts')}>{t.shortcuts}</Button>
          <DownloadMenu jobId={jobId} name={job.file_name ?? jobId} />
        </div>
      </div>
      <CheckboxField
        label={t.confidence}
        help={t.confidenceHelp}
        checked={marksUncertain}
        onChange={({ target }) => setMarksUncertain(target.checked)}
      />
      {document.warnings.map(({ code, message }) => (
        <Notice key={code}>{message}</Notice>
      ))}
      <SegmentList
        // What was typed before the session ended is read again when it can be edited.
        key={canEdit ? 'editable' : 'readable'}
        userId={session.user.id}
        jobId={jobId}
        document={document}
        index={index}
        corrections={corrections}
        matches={search.matches}
        currentMatch={search.bar.current}
        marksUncertain={marksUncertain}
        canEdit={canEdit}
        list={list}
        showSegment={showSegment}
        onSave={saveCorrection}
        onSeek={(seconds) => audio && playFromTime(audio, seconds)}
      />
      {source.isStored && (
        <Button className="self-start" onClick={() => setDialog('remove-audio')}>
          {t.removeAudio}
        </Button>
      )}
      {source.file && <AudioElement file={source.file} onElement={setAudio} />}
      {source.file === null && <AudioChooser onChoose={source.choose} />}
      {source.file && audio && (
        <Player document={document} audio={audio} isFollowing={isFollowing} onFollow={setFollowing} />
      )}
      {dialog === 'speakers' && (
        <SpeakerNamesDialog
          speakers={document.speakers}
          rejected={rejectedNames}
          onSave={(names) => {
            closeSpeakerDialog();
            saveNames(names);
          }}
          onClose={closeSpeakerDialog}
        />
      )}
      {dialog === 'remove-audio' && (
        <ConfirmDialog
          title={t.removeAudioTitle}
          text={t.removeAudioText}
          action={t.removeAudioAction}
          cancel={t.keepAudio}
          busy={false}
          error={null}
          onConfirm={() => {
            setDialog(null);
            void source.remove();
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === 'shortcuts' && (
        <ShortcutsDialog
          isOn={hasShortcuts}
          onChange={(isOn) => {
            setShortcuts(isOn);
            localStorage.setItem(SHORTCUTS_SETTING, isOn ? 'on' : 'off');
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

function useSearchInText(
  document: TranscriptDocument,
  corrections: CorrectedTextBySegment,
  onShow: (segment: number) => void,
) {
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState(0);
  const deferred = useDeferredValue(query);
  const shownTexts = useMemo(
    () => document.segments.map(({ text }, position) => corrections.get(position) ?? text),
    [document.segments, corrections],
  );
  const matches = useMemo(() => findTextMatches(shownTexts, deferred), [shownTexts, deferred]);
  // A correction may have removed the last ones.
  const current = Math.min(chosen, Math.max(0, matches.length - 1));
  const move = (step: 1 | -1) => {
    const next = (current + step + matches.length) % matches.length;
    const match = matches[next];
    if (!match) return;
    setChosen(next);
    onShow(match.segment);
  };
  const change = (changed: string) => {
    setQuery(changed);
    setChosen(0);
    const first = findTextMatches(shownTexts, changed)[0];
    if (first) onShow(first.segment);
  };
  return { matches, bar: { query, onQuery: change, count: matches.length, current, onMove: move } };
}
