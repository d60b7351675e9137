import { type DragEvent, type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ConfirmDialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/field.tsx';
import { ActionErrorNotice, findFieldMessageOfApiError, Notice } from '../../components/notice.tsx';
import { Section } from '../../components/page.tsx';
import { formatBytes } from '../../lib/format.ts';
import { SPEAKER_COUNT_OPTION_NAMES } from '../../jobs/job-options.ts';
import { texts } from '../../texts/index.ts';
import { formatDurationAsClock } from '../../lib/format.ts';
import { useFocusAfterRemoval } from '../../lib/use-focus-after-removal.ts';
import { addFiles, getFileIdentity, splitDroppedFiles } from './chosen-files.ts';
import { isMicrophoneRecording } from './microphone-recording.ts';
import { useMicrophoneRecorder } from './use-microphone-recorder.ts';

/** Those whose errors the options show. */
const OPTION_FIELDS = [
  ...SPEAKER_COUNT_OPTION_NAMES,
  'vocabulary',
  'custom_vocabulary',
  'callback_url',
  'metadata',
];

interface AudioSourceProps {
  files: readonly File[];
  onFiles: (change: (before: readonly File[]) => readonly File[]) => void;
  /** Nothing can be started with them yet. */
  areOptionsLoading: boolean;
  onStart: () => void;
  onAddress: (address: string) => void;
  /** State of the request by URL. */
  address: { value: string; set: (value: string) => void; isPending: boolean; error: unknown };
}

/** Files to drop or choose, the microphone, and a URL. */
export function AudioInputSection({
  files,
  onFiles,
  areOptionsLoading,
  onStart,
  onAddress,
  address,
}: AudioSourceProps) {
  const t = texts.transcribe;
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [isAsked, setAsked] = useState(false);
  const [emptyNames, setEmptyNames] = useState<readonly string[]>([]);
  const [folderNames, setFolderNames] = useState<readonly string[]>([]);
  const [removed, setRemoved] = useState<File | null>(null);
  const chosen = useFocusAfterRemoval<HTMLDivElement>(files.length);
  const add = (added: readonly File[], folders: readonly string[] = []) => {
    setAsked(false);
    setFolderNames(folders);
    setEmptyNames(added.filter(({ size }) => size === 0).map(({ name }) => name));
    // A recording ends long after the list was shown that its callback knows.
    onFiles((before) => addFiles(before, added));
  };
  const remove = (file: File) => {
    setRemoved(null);
    setEmptyNames([]);
    setFolderNames([]);
    onFiles((before) => before.filter((each) => each !== file));
  };
  const recorder = useMicrophoneRecorder((file) => add([file]));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const dropped = splitDroppedFiles(event.dataTransfer.items);
    add(dropped.files, dropped.folderNames);
  };
  useEffect(keepPageOpenOnDrop, []);
  const isAddressBusy = areOptionsLoading || address.isPending;
  const submitAddress = (event: FormEvent) => {
    event.preventDefault();
    if (!isAddressBusy && address.value.trim() !== '') onAddress(address.value.trim());
  };
  return (
    <Section title={t.sources}>
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={`flex flex-wrap items-center justify-center gap-3 rounded-lg border-2 border-dashed p-6 text-center ${isOver ? 'border-accent bg-raised' : 'border-control'}`}
      >
        <p>{t.dropHere}</p>
        <input
          ref={input}
          type="file"
          multiple
          accept="audio/*,video/*"
          aria-label={t.choose}
          hidden
          onChange={({ target }) => {
            add([...(target.files ?? [])]);
            // The same file can be chosen again.
            target.value = '';
          }}
        />
        <Button onClick={() => input.current?.click()}>{t.choose}</Button>
        {recorder.isRecording ? (
          <Button look="danger" onClick={recorder.stop}>
            {t.stopRecording}
          </Button>
        ) : (
          <Button busy={recorder.isStarting} onClick={() => void recorder.start()}>
            {t.record}
          </Button>
        )}
        {recorder.isRecording && (
          <p className="w-full">{t.recording(formatDurationAsClock(recorder.seconds))}</p>
        )}
      </div>
      {recorder.error !== null && <Notice kind="error">{recorder.error}</Notice>}
      {emptyNames.length > 0 && <Notice kind="error">{t.emptyFiles(emptyNames.join(', '))}</Notice>}
      {folderNames.length > 0 && <Notice kind="error">{t.folders(folderNames.join(', '))}</Notice>}
      <div ref={chosen} tabIndex={-1} className="empty:absolute">
        {files.length > 0 && (
          <ul aria-label={t.chosen} className="flex flex-col gap-1">
            {files.map((file) => (
              <li key={getFileIdentity(file)} className="flex items-center gap-2">
                <span dir="auto" className="min-w-0 break-all">
                  {file.name}
                </span>
                <span className="text-muted shrink-0 text-xs">{formatBytes(file.size)}</span>
                <Button
                  look="plain"
                  className="ml-auto"
                  aria-label={t.removeFile(file.name)}
                  onClick={() => {
                    if (isMicrophoneRecording(file)) setRemoved(file);
                    else remove(file);
                  }}
                >
                  {t.remove}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </div>
      {removed && (
        <ConfirmDialog
          title={t.deleteRecordingTitle}
          text={t.deleteRecordingText}
          action={t.deleteRecording}
          cancel={t.keep}
          busy={false}
          error={null}
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(null)}
        />
      )}
      {isAsked && files.length === 0 && <Notice kind="error">{t.nothingChosen}</Notice>}
      <Button
        look="primary"
        className="self-start"
        busy={areOptionsLoading}
        onClick={() => {
          if (files.length === 0) return setAsked(true);
          setEmptyNames([]);
          setFolderNames([]);
          onStart();
        }}
      >
        {files.length === 0 ? t.startNone : t.start(files.length)}
      </Button>
      <form className="border-line flex flex-col gap-2 border-t pt-3" onSubmit={submitAddress} noValidate>
        <TextField
          label={t.address}
          help={t.addressHelp}
          error={findFieldMessageOfApiError(address.error, 'audio_url')}
          type="url"
          inputMode="url"
          value={address.value}
          onChange={({ target }) => address.set(target.value)}
        />
        <ActionErrorNotice error={address.error} shownFields={['audio_url', ...OPTION_FIELDS]} />
        <Button type="submit" className="self-start" busy={isAddressBusy}>
          {t.addressButton}
        </Button>
      </form>
    </Section>
  );
}

/** The browser would open a file that is dropped beside the field for it, in place of the page. */
function keepPageOpenOnDrop(): () => void {
  const prevent = (event: Event) => event.preventDefault();
  for (const name of ['dragover', 'drop']) globalThis.addEventListener(name, prevent);
  return () => {
    for (const name of ['dragover', 'drop']) globalThis.removeEventListener(name, prevent);
  };
}
